import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type House, openHouse } from '../support/house.js';

interface Sample {
  readonly name: string;
  readonly spec: string;
  readonly file: string;
  readonly truth: string;
}

interface Truth {
  readonly outcome: 'verified' | 'unverified';
  readonly reason?: string;
  readonly failureClass?: string | null;
  readonly attempts: number;
  readonly calls: number;
  readonly attemptClasses?: readonly string[];
  readonly record?: unknown;
  readonly route?: string;
}

const mediaTypes: Record<string, string> = { pdf: 'application/pdf', txt: 'text/plain' };

const read = async <T>(path: string): Promise<T> =>
  JSON.parse(await readFile(`samples/${path}`, 'utf8')) as T;
const { samples } = await read<{ samples: Sample[] }>('index.json');

describe.each([{ seed: 1 }, { seed: 20_261 }])(
  'samples on a real server, stand-in seed $seed',
  ({ seed }) => {
    let house: House;
    beforeAll(async () => {
      house = await openHouse({ standin: { behaviour: { seed } } });
    });
    afterAll(() => house.close());

    it.concurrent.each(samples)('$name ends as its truth says', async (sample) => {
      const truth = await read<Truth>(sample.truth);
      const bytes = await readFile(`samples/${sample.file}`);
      const mediaType = mediaTypes[sample.file.split('.').at(-1) ?? ''] ?? 'text/plain';
      const { extraction, outcome } = await house.extract({
        specId: sample.spec,
        document: { kind: 'bytes', mediaType, bytes },
      });
      const attempts = await house.app.store.attempts.list(extraction.key, extraction.run);
      const classes = attempts.flatMap(({ report: { result } }) =>
        result.kind === 'rejected' ? [result.failureClass] : [],
      );
      expect({
        outcome: outcome?.kind,
        reason: outcome?.kind === 'unverified' ? outcome.reason : undefined,
        record: outcome?.kind === 'verified' ? outcome.record : undefined,
        attempts: extraction.attempts,
        calls: extraction.calls,
        classes,
        route: extraction.route ?? undefined,
      }).toEqual({
        outcome: truth.outcome,
        reason: truth.reason,
        record: truth.record,
        attempts: truth.attempts,
        calls: truth.calls,
        classes: truth.attemptClasses ?? classes,
        route: truth.route,
      });
    });
  },
);
