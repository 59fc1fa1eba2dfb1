import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import {
  accepted,
  claim,
  decide,
  landing,
  newExtraction,
  openRun,
  recordOf,
  redrive,
  rejected,
  toReview,
} from './fixtures.js';

/** Everything that may happen to a subject at one moment, at once: nothing is lost, doubled or stuck. */
export function stormCases(store: StoreUnderTest): void {
  describe('a storm on one subject', () => {
    it.each(Array.from({ length: 8 }, (_, round) => round))(
      'leaves it in one true state (round %i)',
      async (round) => {
        const given = newExtraction();
        const first = await openRun(store(), given);
        await store().attempts.commit(rejected(first));
        await store().extractions.land(round % 2 === 0 ? toReview(first) : landing(first));
        const second = await redrive(store(), given);
        const other = await openRun(store(), {
          ...given,
          key: `${given.key.slice(0, 60)}-v8`,
          promptVersion: 'v8',
        });

        const happenings: (() => Promise<unknown>)[] = [
          () => store().attempts.commit(accepted(second, { at: 5_000_000 })),
          () => store().extractions.land(landing(second)),
          () => store().attempts.commit(accepted(other, { at: 5_000_001 })),
          () => store().extractions.land(toReview(other, { bestAttempt: null })),
          () => store().records.put(recordOf(second)),
          () => store().deadLetters.take(given.key, given),
          () => store().extractions.open(given, true),
          () => claim(store(), given.subject, { actor: 'lee', leaseMs: 1_000, at: 5_000_000 }),
        ];
        if (round % 2 === 0)
          // It may have been answered or become another question meanwhile: then the person is told.
          happenings.push(() =>
            decide(store(), given.subject, 'correct', { total: 'by hand' }, 6_000_000).catch(() => undefined),
          );
        const turned = happenings.map((_, index) => happenings[(index + round) % happenings.length]);
        await Promise.all(turned.flatMap((happening) => [happening?.(), happening?.()]));
        await store().extractions.land(landing(second));
        await store().extractions.land(landing(other));

        const runs = [
          await store().extractions.find(second.key, 1),
          await store().extractions.find(second.key, 2),
          await store().extractions.find(other.key, 1),
        ];
        expect(runs.map((run) => run?.state)).toEqual(['closed', 'closed', 'closed']);
        for (const run of runs.slice(1)) {
          const records = await store().records.ofKey(run?.key ?? '');
          const byModel = records.filter(({ status }) => status === 'verified');
          expect(byModel).toHaveLength(run?.outcome === 'verified' ? 1 : 0);
        }
        const verified = runs.some((run) => run?.outcome === 'verified');
        // A person's decision belongs to whichever run's question was open when it was carried out.
        const keys = [given.key, other.key];
        const records = (await Promise.all(keys.map((key) => store().records.ofKey(key)))).flat();
        const human = records.some(({ status }) => status === 'human_verified');
        const current = await store().records.list({ subject: given.subject }, { limit: 10 });
        expect(current.items).toHaveLength(verified || human ? 1 : 0);
        if (human) expect(current.items[0]?.status).toBe('human_verified');
      },
    );
  });
}
