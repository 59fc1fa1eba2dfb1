import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.js';
import { documentOf, newBatch, runOf } from '../../contract/store/batches.js';
import {
  accepted,
  askPerson,
  claim,
  decisionOn,
  landing,
  newExtraction,
  openRun,
  sha,
  takeLetter,
} from '../../contract/store/fixtures.js';
import {
  announce,
  answered,
  claimOne,
  soon,
  claim as take,
  withEndpoint,
} from '../../contract/store/webhook-fixtures.js';
import { isWaitedFor, openWithOtherSession, type WithOtherSession } from './other-session.js';

let beside: WithOtherSession;
let store: Store;
let other: pg.Client;

beforeAll(async () => {
  beside = await openWithOtherSession();
  ({ store, other } = beside);
});
afterAll(() => beside.close());

/**
 * Does something after another session ran statements and before that session commits them: it either waits for the
 * commit, or passes by what the session holds.
 */
async function whileHeld<T>(
  how: 'waits' | 'passes',
  statements: readonly (readonly [sql: string, ...values: readonly unknown[]])[],
  act: () => Promise<T>,
): Promise<T> {
  let seen: 'waits' | 'passes' | null = null;
  await other.query('begin');
  try {
    for (const [sql, ...values] of statements) await other.query(sql, [...values]);
    const acting = act().finally(() => {
      seen ??= 'passes';
    });
    acting.catch(() => undefined);
    while (seen === null) {
      if (await isWaitedFor(other)) seen ??= 'waits';
      else await pause(5);
    }
    expect(seen).toBe(how);
    await other.query('commit');
    return await acting;
  } finally {
    await other.query('rollback');
  }
}

describe('an erasure', () => {
  it('is counted once, when another one of the same document is under way', async () => {
    const ref = await openRun(store);
    const erased = await whileHeld(
      'waits',
      [['update extractions set erased_at = 5 where key = $1', ref.key]],
      () => store.retention.erase(ref.tenant, ref.documentHash, 6),
    );
    expect(erased.extractions).toBe(0);
    expect((await store.extractions.find(ref.key))?.erasedAt).toBe(5);
  });

  it('leaves a review that is just decided as decided', async () => {
    const ref = await askPerson(store);
    const erased = await whileHeld(
      'waits',
      [
        [
          `update review_tasks set state = 'decided', verdict = 'reject', decided_at = 4 where id = $1`,
          ref.subject,
        ],
      ],
      () => store.retention.erase(ref.tenant, ref.documentHash, 6),
    );
    expect(erased.reviews).toBe(0);
    expect(await store.reviews.find(ref.subject)).toMatchObject({ state: 'decided', decidedAt: 4 });
  });

  it('that withdraws a review just now leaves no words of a decision on it', async () => {
    const { subject } = await askPerson(store);
    const decision = await decisionOn(store, subject);
    const asked = await whileHeld(
      'waits',
      [[`update review_tasks set state = 'withdrawn', erased_at = 4 where id = $1`, subject]],
      () => store.reviews.addDecision(decision),
    );
    expect(asked?.kind).toBe('not_open');
  });

  it('by age passes by a document that is just handed in again', async () => {
    const document = {
      tenant: 'aged',
      mediaType: 'text/plain',
      bytes: new TextEncoder().encode('old'),
      at: 10,
    };
    const hash = await store.documents.put(document);
    const step = await whileHeld(
      'passes',
      [['update documents set stored_at = 100 where hash = $1', hash]],
      () => store.retention.forgetDocuments({ tenant: 'aged', before: 20, after: null, at: 90 }),
    );
    expect(step.erased).toBe(0);
    expect(await store.documents.load('aged', hash)).not.toBeNull();
  });
});

describe('deliveries', () => {
  it('that another dispatcher is just taking are not taken, nor waited for', () =>
    withEndpoint(store, async ({ endpoint, tenant }) => {
      await announce(store, tenant, 2);
      const due = await whileHeld(
        'passes',
        [
          [
            'update webhook_deliveries set tries = 1, due_at = $2 where endpoint_id = $1',
            endpoint.endpointId,
            soon * 2,
          ],
        ],
        () => take(store),
      );
      expect(due).toEqual([]);
    }));

  it('of an endpoint that is gone are dropped behind whoever holds the endpoint', () =>
    withEndpoint(
      store,
      async ({ endpoint }) => {
        const given = newExtraction({ tenant: 'gone' });
        await store.webhooks.nameUrl({
          tenant: 'gone',
          subject: given.subject,
          url: 'https://gone.example/',
          at: 1,
        });
        await store.attempts.commit(accepted(await openRun(store, given)));
        const due = await claimOne(store);
        await whileHeld(
          'waits',
          [['select from webhook_endpoints where endpoint_id = $1 for no key update', endpoint.endpointId]],
          () => store.webhooks.settle(due, answered(410, 'gone'), { kind: 'gone' }),
        );
      },
      { tenant: null, url: null },
    ));

  it('are tidied past events that another one is just forgetting', async () => {
    const ref = await openRun(store);
    await store.attempts.commit(accepted(ref));
    await whileHeld('passes', [['select from outbox where key = $1 for update', ref.key]], () =>
      store.webhooks.tidy(soon, soon),
    );
    expect((await other.query('select from outbox where key = $1', [ref.key])).rowCount).toBe(1);
  });
});

describe('a batch', () => {
  it('that begins just now takes no more documents', async () => {
    const batch = await store.batches.create(newBatch({ id: 'begins' }));
    const { id } = batch;
    await whileHeld(
      'waits',
      [[`update batches set state = 'running', documents = 0, began_at = 1 where id = $1`, id]],
      () => store.batches.add(batch, [documentOf(runOf(id), 'late')]),
    );
    expect((await store.batches.documents(id, {}, { limit: 10 })).items).toEqual([]);
  });

  it('that collects anew forgets the documents that are just handed in', async () => {
    const { id } = await store.batches.create(newBatch({ id: 'anew' }));
    const late = documentOf(runOf(id), 'late');
    await whileHeld(
      'waits',
      [
        [`select from batches where id = $1 and state = 'collecting' for share`, id],
        [
          `insert into batch_documents (batch_id, item, key, subject, document_hash, tags) values ($1, 'late', $2, $3, $4, '{}')`,
          ...[id, late.key, late.subject, late.documentHash],
        ],
      ],
      () => store.batches.collectAnew(id, 2),
    );
    expect((await store.batches.documents(id, {}, { limit: 10 })).items).toEqual([]);
  });

  it('that begins counts the documents that are just handed in', async () => {
    const { id } = await store.batches.create(newBatch({ id: 'counts' }));
    const late = documentOf(runOf(id), 'late');
    const begun = await whileHeld(
      'waits',
      [
        [`select from batches where id = $1 and state = 'collecting' for share`, id],
        [
          `insert into batch_documents (batch_id, item, key, subject, document_hash, tags) values ($1, 'late', $2, $3, $4, '{}')`,
          ...[id, late.key, late.subject, late.documentHash],
        ],
      ],
      () => store.batches.begin(id, 2),
    );
    expect(begun.documents).toBe(1);
  });

  it('begins no document that is just refused', async () => {
    const batch = await store.batches.create(newBatch({ id: 'refuses' }));
    const { id } = batch;
    const run = runOf(id);
    await store.batches.add(batch, [documentOf(run, 'late')]);
    await store.batches.begin(id, 2);
    const taking = await whileHeld(
      'waits',
      [[`update batch_documents set state = 'ended', part = 'refused' where batch_id = $1`, id]],
      () => store.batches.take(id, 'late', run, false),
    );
    expect(taking).toBeNull();
    expect(await store.extractions.find(run.key)).toBeNull();
  });

  it('writes down once that its cap changed', async () => {
    const { id } = await store.batches.create(newBatch({ id: 'capped' }));
    await whileHeld('waits', [['update batches set cap = 2 where id = $1', id]], () =>
      store.batches.note(id, 'collecting', 2, 7),
    );
    expect((await other.query('select from batch_caps where batch_id = $1', [id])).rowCount).toBe(0);
  });
});

describe('a pause of repairs', () => {
  it.each([
    ['of one spec', 'asked by one'],
    ['of all specs', null],
  ])(
    '%s waits for whoever is just granted a permit, though nobody had ever asked before',
    async (_, specId) => {
      await whileHeld('waits', [['insert into repair_gates values ($1)', specId ?? 'asked by all']], () =>
        store.traffic.switchRepairs({ specId, paused: true, actor: 'kim', reason: null, at: 5 }),
      );
    },
  );
});

describe('a sweep', () => {
  it('of letters passes by one that is just redriven again', async () => {
    const ref = await openRun(store);
    await store.extractions.land(landing(ref));
    const again = await takeLetter(store, ref, { promptVersion: 'v8', at: 10 });
    await store.attempts.commit(accepted(again));
    await other.query(`update dead_letters set state = 'redriven', taken_at = 10 where key = $1`, [ref.key]);
    const settled = await whileHeld(
      'passes',
      [['update dead_letters set redriven_run = 2, taken_at = 90 where key = $1', ref.key]],
      () => store.deadLetters.settle(20),
    );
    expect(settled).toEqual({ parked: 0, recovered: 0, more: false });
    expect((await store.deadLetters.find(ref.key))?.state).toBe('redriven');
  });

  it('of requests passes by one that is just claimed anew', async () => {
    const claim = {
      scope: 'swept',
      key: 'order',
      fingerprint: sha('body'),
      at: 10,
      lockedUntil: 20,
      lapsedBefore: 0,
    };
    await store.idempotency.claim(claim);
    const swept = await whileHeld(
      'passes',
      [[`update idempotency_keys set at = 100, locked_until = 200 where scope = 'swept'`]],
      () => store.idempotency.sweep(50),
    );
    expect(swept).toBe(0);
    expect((await store.idempotency.claim({ ...claim, at: 110 })).kind).toBe('busy');
  });

  it('of leases passes by one that is just extended', async () => {
    const { subject } = await askPerson(store);
    await claim(store, subject, { at: 100, leaseMs: 10 });
    const freed = await whileHeld(
      'passes',
      [['update review_tasks set lease_expires_at = 500 where id = $1', subject]],
      () => store.reviews.expireLeases(200),
    );
    expect(freed).toBe(0);
    expect(await store.reviews.find(subject)).toMatchObject({ holder: 'kim', leaseExpiresAt: 500 });
  });
});

describe('the next review', () => {
  it('is the one after that which somebody else is just taking', async () => {
    const tenant = 'queue';
    const first = await askPerson(store, { tenant }, { amount: { amount: '9', currency: 'USD' } });
    const second = await askPerson(store, { tenant }, { amount: { amount: '5', currency: 'USD' } });
    const next = await whileHeld(
      'passes',
      [[`update review_tasks set holder = 'lee', lease_expires_at = 900 where id = $1`, first.subject]],
      () => store.reviews.claimNext({ tenant }, 'kim', 60, 100),
    );
    expect(next).toMatchObject({ kind: 'claimed', task: { id: second.subject } });
  });
});
