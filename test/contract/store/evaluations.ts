import { describe, expect, it } from 'vitest';
import { evaluationsKept, type KeptEvaluation } from '../../../src/ports/evaluation-store.js';
import type { StoreUnderTest } from './fixtures.js';

export function evaluationCases(store: StoreUnderTest): void {
  const evaluation = (given: Partial<KeptEvaluation> & Pick<KeptEvaluation, 'id'>): KeptEvaluation => ({
    ...{ specId: 'evaluated', schemaVersion: '1', promptVersion: 'v1', tenant: 'eval-1', truthSet: 'aa' },
    ...{ providers: ['stand-in'], models: ['claude-haiku-5-5'], beganAt: 1_000, endedAt: 2_000 },
    ...{ documents: 3, curve: [{ attempts: 1, verified: 2 }], right: 1, unjudged: 0 },
    wrong: [{ extractionId: 'ab', differs: ['/total'] }],
    fields: [{ pointer: '/total', right: 1, of: 2 }],
    landed: [{ reason: 'no_progress', route: null, documents: 1 }],
    classes: [{ failureClass: 'constraint', documents: 1 }],
    ...{ calls: 4, tokens: 900, cost: [{ amount: '0.0012', currency: 'USD' }] },
    ...given,
  });
  const idsOf = (found: readonly KeptEvaluation[]) => found.map(({ id }) => id).sort();

  describe('evaluations', () => {
    it('come back as they were kept, also by the beginning of their id; the same id again changes nothing', async () => {
      const kept = evaluation({ id: '0123456789abcdef', specId: 'as-kept' });
      await store().evaluations.add(kept);
      await store().evaluations.add({ ...kept, documents: 9 });
      expect(await store().evaluations.find(kept.id)).toEqual(kept);
      expect(await store().evaluations.find('01234567')).toEqual(kept);
      expect(await store().evaluations.find('0123456')).toBeNull();
      expect(await store().evaluations.find('fedcba9876543210')).toBeNull();
    });

    it('are listed newest first, page by page, narrowed to a version, a truth set or a tenant', async () => {
      const specId = 'listed-evaluations';
      const all = [
        evaluation({ id: 'list-1', specId, endedAt: 1 }),
        evaluation({ id: 'list-2', specId, endedAt: 2, promptVersion: 'v2', truthSet: 'bb' }),
        evaluation({ id: 'list-3', specId, endedAt: 2, tenant: 'eval-2' }),
        evaluation({ id: 'list-4', specId, endedAt: 4, schemaVersion: '2' }),
      ];
      for (const each of all) await store().evaluations.add(each);
      const one = await store().evaluations.list({ specId }, { limit: 3 });
      expect(one.items.map(({ id }) => id)).toEqual(['list-4', 'list-3', 'list-2']);
      const two = await store().evaluations.list({ specId }, { limit: 3, cursor: one.nextCursor ?? '' });
      expect(two).toEqual({ items: [all[0]], nextCursor: null });
      const narrowed = async (filter: object) =>
        idsOf((await store().evaluations.list({ specId, ...filter }, { limit: 9 })).items);
      expect(await narrowed({ schemaVersion: '1', promptVersion: 'v1' })).toEqual(['list-1', 'list-3']);
      expect(await narrowed({ truthSet: 'bb' })).toEqual(['list-2']);
      expect(await narrowed({ tenant: 'eval-2' })).toEqual(['list-3']);
      expect(idsOf(await store().evaluations.latest({ specId }))).toEqual(['list-2', 'list-3', 'list-4']);
      expect(idsOf(await store().evaluations.latest({ specId, tenant: 'eval-1' }))).toEqual([
        ...['list-1', 'list-2', 'list-4'],
      ]);
    });

    it(`of one version are ${evaluationsKept} at most: the oldest go, other versions stay`, async () => {
      const specId = 'many-evaluations';
      await store().evaluations.add(
        evaluation({ id: 'many-other', specId, promptVersion: 'v0', endedAt: 0 }),
      );
      for (let at = 1; at <= evaluationsKept + 2; at += 1) {
        await store().evaluations.add(evaluation({ id: `many-${at}`, specId, endedAt: at }));
      }
      const { items } = await store().evaluations.list({ specId }, { limit: 200 });
      expect(items).toHaveLength(evaluationsKept + 1);
      expect(items.slice(-2).map(({ id }) => id)).toEqual(['many-3', 'many-other']);
    });
  });
}
