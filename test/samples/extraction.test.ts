import { describe, expect, test } from 'vitest';
import { allSamples } from '../../samples/generator/catalogue.js';
import type { Sample } from '../../samples/generator/sample.js';
import { claimSchema, extraction, invoiceSchema, recordOf, startStandin } from '../standin/asking.js';

const isClean = ({ truth }: Sample): boolean =>
  truth.outcome === 'verified' && truth.attemptClasses.length === 0;

const schemaOf = ({ spec }: Sample) => (spec.startsWith('claim') ? claimSchema : invoiceSchema);

const contentOf = ({ file, bytes }: Sample): string | Uint8Array =>
  file.endsWith('.pdf') ? bytes : bytes.toString('utf8');

describe.each([
  { samples: 1, standin: 1 },
  { samples: 1, standin: 77 },
  { samples: 9, standin: 1 },
  { samples: 23, standin: 5 },
])('samples of seed $samples before a stand-in of seed $standin', async ({ samples: seed, standin }) => {
  const samples = await allSamples(seed);
  const { client } = await startStandin({ seed: standin });

  test.each(samples.filter(isClean).map((sample) => ({ name: sample.name, sample })))(
    '$name is extracted to the digit',
    async ({ sample }) => {
      const message = await client.messages.create(extraction(schemaOf(sample), contentOf(sample)));
      expect(message.stop_reason).toBe('end_turn');
      expect(sample.truth).toHaveProperty('record', recordOf(message));
    },
  );
});
