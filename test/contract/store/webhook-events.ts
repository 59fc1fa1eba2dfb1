import { describe, expect, it } from 'vitest';
import type { WebhookDelivery } from '../../../src/ports/webhook-store.js';
import {
  accepted,
  askPerson,
  decide,
  landing,
  newExtraction,
  openRun,
  recordOf,
  redrive,
  rejected,
  type StoreUnderTest,
  toReview,
} from './fixtures.js';
import { newTenant, withEndpoint } from './webhook-fixtures.js';

const said = ({ event }: WebhookDelivery) => [event.type, event.outcome, event.verificationStatus];

export function webhookEventCases(store: StoreUnderTest): void {
  describe('an event', () => {
    it('announces a verified run, once, however often its attempt is committed', async () => {
      await withEndpoint(store(), async ({ tenant, told, endpoint }) => {
        const ref = await openRun(store(), { tenant });
        expect(await told()).toEqual([]);
        await Promise.all(Array.from({ length: 5 }, () => store().attempts.commit(accepted(ref))));
        const [delivery, ...more] = await told();
        expect(more).toEqual([]);
        expect(delivery).toEqual({
          deliveryId: expect.stringMatching(/^[0-9a-f]{32}$/),
          endpointId: endpoint.endpointId,
          url: endpoint.url,
          state: 'pending',
          dueAt: 2_000_000,
          endedAt: null,
          tries: [],
          event: {
            eventId: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
            type: 'extraction.verified',
            at: 2_000_000,
            key: ref.key,
            run: 1,
            tenant,
            specId: 'claim',
            outcome: 'verified',
            reason: null,
            route: null,
            verificationStatus: 'verified',
          },
        });
      });
    });

    it('announces an unverified run with its reason and route, and its next run as another event', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        const given = newExtraction({ tenant });
        const ref = await openRun(store(), given);
        await store().attempts.commit(rejected(ref));
        await store().extractions.land(landing(ref));
        await store().extractions.land(landing(ref, { at: 3_000_001 }));
        const [first] = await told();
        expect(first?.event).toMatchObject({
          type: 'extraction.unverified',
          outcome: 'unverified',
          reason: 'attempt_cap',
          route: 'dead_letter',
          verificationStatus: null,
          at: 3_000_000,
        });
        await store().attempts.commit(accepted(await redrive(store(), given)));
        const events = (await told()).map(({ event }) => event);
        // The accepted attempt is dated before the landing here, and the list is by date.
        expect(events.map(({ type, run }) => [type, run])).toEqual([
          ['extraction.verified', 2],
          ['extraction.unverified', 1],
        ]);
        expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2);
      });
    });

    it('announces that a fallback found nothing and where the run went instead', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        const ref = await openRun(store(), { tenant });
        await store().extractions.land(landing(ref, { route: 'fallback' }));
        await store().extractions.land(toReview(ref));
        await store().extractions.land(toReview(ref, { at: 3_000_005 }));
        const events = (await told()).map(({ event }) => `${event.type} ${event.route}`);
        expect(events.sort()).toEqual(['extraction.routed human_review', 'extraction.unverified fallback']);
      });
    });

    it('announces kept records that are not verified as what they are, once a run', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        const ref = await openRun(store(), { tenant });
        await store().extractions.land(landing(ref, { route: 'fallback' }));
        for (const status of ['fallback', 'best_effort', 'needs_review'] as const) {
          await store().records.put(recordOf(ref, { status }));
          await store().records.put(recordOf(ref, { status, at: 3_600_000 }));
        }
        expect((await told()).slice(1).map(said).sort()).toEqual([
          ['record.stored', 'unverified', 'best_effort'],
          ['record.stored', 'unverified', 'fallback'],
          ['record.stored', 'unverified', 'needs_review'],
        ]);
      });
    });

    it.each([
      ['approve', 'human_verified'],
      ['correct', 'human_verified'],
      ['reject', 'rejected'],
      ['not_in_document', 'rejected'],
      ['redrive', null],
    ] as const)('announces that a person decided: %s', async (verb, status) => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        const ref = await askPerson(store(), { tenant });
        const { eventId } = await decide(store(), ref.subject, verb, { total: '1' });
        await store().reviews.apply(eventId, [], 'verifier-3', 4_000_009);
        const decided = (await told()).slice(1);
        expect(decided.map(said)).toEqual([['review.decided', 'unverified', status]]);
        expect(decided[0]?.event).toMatchObject({
          key: ref.key,
          run: 1,
          route: 'human_review',
          at: 4_000_001,
        });
      });
    });

    it('is of nobody while a run is open, and lost with what it would have announced', async () => {
      await withEndpoint(store(), async ({ tenant, told }) => {
        const ref = await openRun(store(), { tenant });
        await store().attempts.commit(rejected(ref));
        await store().records.put(recordOf(ref, { status: 'best_effort' }));
        // This landing is refused: no time is set until when a person has to decide.
        await expect(store().extractions.land(toReview(ref, { reviewDueAt: null }))).rejects.toThrow();
        expect(await told()).toEqual([]);
      });
    });
  });

  describe('events', () => {
    it("go to endpoints of their tenant and to everybody's, each told once", async () => {
      await withEndpoint(store(), async (one) => {
        await withEndpoint(store(), async (other) => {
          await withEndpoint(
            store(),
            async (all) => {
              const ref = await openRun(store(), { tenant: one.tenant });
              await store().attempts.commit(accepted(ref));
              expect((await one.told()).map(({ event }) => event.key)).toEqual([ref.key]);
              expect(await other.told()).toEqual([]);
              expect((await all.told()).map(({ event }) => event)).toEqual(
                (await one.told()).map(({ event }) => event),
              );
            },
            { tenant: null },
          );
        });
      });
    });

    it('go to URLs that a submission named, whichever run or version it is about', async () => {
      const tenant = newTenant();
      const url = 'https://named.example/hook';
      await withEndpoint(
        store(),
        async ({ told }) => {
          const given = newExtraction({ tenant });
          const named = { tenant, subject: given.subject, url, at: 1 };
          expect(await store().webhooks.nameUrl(named)).toBe(true);
          expect(await store().webhooks.nameUrl({ ...named, at: 2 })).toBe(true);
          await store().extractions.land(landing(await openRun(store(), given)));
          await store().attempts.commit(accepted(await openRun(store(), { tenant })));
          const second = newExtraction({ tenant, documentHash: given.documentHash, promptVersion: 'v8' });
          await store().attempts.commit(accepted(await openRun(store(), second)));
          expect((await told()).map(({ url, event }) => [url, event.key]).sort()).toEqual(
            [
              [url, given.key],
              [url, second.key],
            ].sort(),
          );
        },
        { tenant, url: null },
      );
    });

    it("go to a named URL signed by the tenant's own endpoint before everybody's, and not twice", async () => {
      const tenant = newTenant();
      const url = 'https://named.example/twice';
      await withEndpoint(
        store(),
        async (everybody) => {
          await withEndpoint(
            store(),
            async (own) => {
              const first = newExtraction({ tenant });
              await store().webhooks.nameUrl({ tenant, subject: first.subject, url, at: 1 });
              await store().attempts.commit(accepted(await openRun(store(), first)));
              expect([(await own.told()).length, (await everybody.told()).length]).toEqual([1, 0]);
              await withEndpoint(
                store(),
                async (same) => {
                  const second = newExtraction({ tenant });
                  await store().webhooks.nameUrl({ tenant, subject: second.subject, url, at: 1 });
                  await store().attempts.commit(accepted(await openRun(store(), second)));
                  expect([(await own.told()).length, (await same.told()).length]).toEqual([1, 1]);
                },
                { tenant, url },
              );
            },
            { tenant, url: null },
          );
        },
        { tenant: null, url: null },
      );
    });

    it('cannot go to a named URL when nothing signs', async () => {
      const named = { tenant: newTenant(), subject: 'a'.repeat(64), url: 'https://named.example/', at: 1 };
      expect(await store().webhooks.nameUrl(named)).toBe(false);
    });
  });
}
