import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StatementRefused } from '../../../src/adapters/postgres/faults.js';
import { retried } from '../../../src/adapters/postgres/retry.js';
import { foldedMs, summedMs } from '../../../src/ports/fold-store.js';
import type { Store } from '../../../src/ports/store.js';
import {
  accepted,
  landing,
  newExtraction,
  openRun,
  redrive,
  sameDocument,
  toReview,
} from '../../contract/store/fixtures.js';
import { failure } from './failure.js';
import { isWaitedFor, openWithOtherSession, type WithOtherSession } from './other-session.js';

let beside: WithOtherSession;
let store: Store;
let other: pg.Client;

beforeAll(async () => {
  beside = await openWithOtherSession();
  ({ store, other } = beside);
});
afterAll(() => beside.close());

async function someoneWaits(): Promise<void> {
  while (!(await isWaitedFor(other))) await pause(10);
}

const secondRun = `
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    policy, tags, provider, started_at, deadline_at)
  select key, run + 1, tenant, subject, document_hash, spec_id, schema_version, prompt_version, 'open', policy, tags,
    provider, started_at, deadline_at
  from extractions where key = $1 and run = 1`;

describe('opening a run that another session is just opening', () => {
  it.each([
    ['commits', 'commit', 'running'],
    ['gives up', 'rollback', 'opened'],
  ])('waits until that one %s', async (_, end, kind) => {
    const given = newExtraction();
    await store.extractions.land(landing(await openRun(store, given)));
    await other.query('begin');
    await other.query(secondRun, [given.key]);
    const opening = store.extractions.open(given, true);
    await someoneWaits();
    await other.query(end);
    expect(await opening).toMatchObject({ kind, extraction: { run: 2, state: 'open' } });
  });

  it('is refused by the database itself, should the store ever try', async () => {
    const ref = await openRun(store);
    await expect(other.query(secondRun, [ref.key])).rejects.toThrow('extractions_one_open_run');
    await store.extractions.land(landing(ref));
    expect((await redrive(store, sameDocument(ref))).run).toBe(2);
  });
});

describe('a commit that Postgres undid to end a deadlock', () => {
  /** False when the other session was the one to be undone: Postgres undoes whoever looks a second after it began to wait. */
  async function commitIsUndone(): Promise<boolean> {
    const first = await openRun(store);
    await store.extractions.land(toReview(first, { bestAttempt: null }));
    const ref = await openRun(store, sameDocument(first, { promptVersion: 'v8' }));
    await other.query('begin');
    await other.query('select 1 from review_tasks where subject = $1 for update', [ref.subject]);
    const commit = store.attempts.commit(accepted(ref));
    await someoneWaits();
    const isOther = await other.query('select 1 from extractions where key = $1 for update', [ref.key]).then(
      () => false,
      () => true,
    );
    await other.query('commit');
    expect(await commit).toMatchObject({ withdrewReview: true });
    expect((await store.records.current(ref.subject))?.status).toBe('verified');
    return !isOther;
  }

  it('is made again', async () => {
    // Now each waits for the other. The commit has waited longer, unless this process was held up meanwhile.
    let isUndone = false;
    while (!isUndone) isUndone = await commitIsUndone();
  });

  it('is given up after five times, and at once for any other refusal', async () => {
    const tries: string[] = [];
    const refused = (code: string) =>
      retried(async () => {
        tries.push(code);
        throw new StatementRefused(code, undefined);
      });
    expect((await failure(() => refused('40P01'))).message).toBe('Postgres refused a statement (40P01).');
    expect((await failure(() => refused('23505'))).message).toBe('Postgres refused a statement (23505).');
    expect(tries).toEqual(['40P01', '40P01', '40P01', '40P01', '40P01', '23505']);
  });
});

describe('a fold of an hour that another session is just changing', () => {
  const hour = 300_000 * foldedMs;
  const selection = { tenant: 'raced', version: 1 };
  const change = `update extractions set reason = 'refusal' where tenant = 'raced'`;
  beforeAll(async () => {
    const ref = await openRun(store, { tenant: 'raced', at: hour });
    await store.extractions.land(landing(ref));
  });

  const keep = () =>
    store.folds.keep(selection, [hour], async (parts) => {
      for await (const runs of parts) for (const { reason } of runs) return new Map([[hour, `${reason}`]]);
      return new Map();
    });
  async function read(): Promise<unknown[]> {
    const found: unknown[] = [];
    for await (const part of store.folds.read(selection, hour))
      found.push(...('fold' in part ? [part.fold] : part.runs.map(({ reason }) => ({ reason }))));
    return found;
  }

  it('is forgotten by that one, should it commit after the fold was kept; not should it give up', async () => {
    await other.query('begin');
    await other.query(change);
    await keep();
    expect(await read()).toEqual(['attempt_cap']);
    await other.query('rollback');
    expect(await read()).toEqual(['attempt_cap']);
    await other.query('begin');
    await other.query(change);
    await other.query('commit');
    expect(await read()).toEqual([{ reason: 'refusal' }]);
  });

  it('is not kept while that one commits', async () => {
    await other.query('begin');
    await other.query(change);
    // What its commit does first, and then stands still.
    await other.query('set constraints all immediate');
    await keep();
    await other.query('commit');
    expect(await read()).toEqual([{ reason: 'refusal' }]);
    await keep();
    expect(await read()).toEqual(['refusal']);
  });

  it('is in no fold of its day that is made meanwhile', async () => {
    const hours = Array.from({ length: 24 }, (_, index) => hour + index * foldedMs);
    const keepAll = () =>
      store.folds.keep(selection, hours, async () => new Map(hours.map((each) => [each, 'kept'])));
    const keepDay = () =>
      store.folds.keepDays(selection, { since: hour, until: hour + summedMs }, () => 'day');
    await keepAll();
    await other.query('begin');
    await other.query(change);
    await other.query('set constraints all immediate');
    await keepDay();
    await other.query('commit');
    expect(await read()).toHaveLength(24);
    await keepAll();
    await other.query('begin');
    await other.query(change);
    await keepDay();
    expect(await read()).toEqual(['day']);
    await other.query('commit');
    expect(await read()).toHaveLength(24);
  });
});
