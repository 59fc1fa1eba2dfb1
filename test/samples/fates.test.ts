import { afterAll, describe, expect, test } from 'vitest';
import { allSamples } from '../../samples/generator/catalogue.js';
import claim from '../../specs/claim/claim.js';
import claimTwoDecimals from '../../specs/claim/two-decimals.js';
import invoice from '../../specs/invoice/invoice.js';
import invoicePlain from '../../specs/invoice/plain.js';
import { createAnthropicExtractor } from '../../src/adapters/anthropic/extractor.js';
import { createDocumentReader } from '../../src/adapters/pdf/reader.js';
import type { Spec } from '../../src/spec/spec.js';
import { startStandin } from '../standin/asking.js';
import { runSample } from './run-sample.js';

const specs = [claim, claimTwoDecimals, invoice, invoicePlain] as unknown as readonly Spec[];
const reader = createDocumentReader();
afterAll(() => reader.close());

describe.each([
  { samples: 1, standin: 1 },
  { samples: 1, standin: 77 },
  { samples: 9, standin: 3 },
])('samples of seed $samples before a stand-in of seed $standin', async ({ samples: seed, standin: die }) => {
  const { url, standin } = await startStandin({ seed: die });
  const extractor = createAnthropicExtractor({ provider: 'stand-in', apiKey: 'any', baseUrl: url });

  test.each((await allSamples(seed)).map((sample) => ({ name: sample.name, sample })))(
    '$name ends as its truth says',
    async ({ sample }) => {
      const { truth } = sample;
      const spec = specs.find(({ id }) => id === sample.spec);
      if (spec === undefined) throw new Error(`There is no spec ${sample.spec}.`);
      const before = standin.stats().requests;
      const fate = await runSample(sample, spec, extractor, reader);
      expect(standin.stats().requests - before).toBe(truth.calls);
      expect(fate.calls).toBe(truth.calls);
      expect(fate.attemptClasses).toEqual(truth.attemptClasses);
      if (truth.outcome === 'verified') {
        expect(fate.ending).toEqual({ kind: 'verified', attempts: truth.attempts });
        expect(fate.record).toEqual(truth.record);
        return;
      }
      expect(fate.route).toBe(truth.route);
      if (fate.ending.kind === 'unreadable') expect(truth.reason).toBe('unreadable_document');
      else expect(fate.ending).toMatchObject({ reason: truth.reason, failureClass: truth.failureClass });
    },
  );
});
