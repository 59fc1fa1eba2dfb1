import { type Kysely, sql } from 'kysely';
import type { Claimed, IdempotencyStore, RequestAnswer } from '../../ports/idempotency-store.js';
import type { Tables } from './tables.js';

/** Rows that one sweep takes at most, so that it locks nobody out. */
const sweepRows = 1_000;

interface ClaimRow {
  readonly mine: boolean;
  readonly fingerprint: string;
  readonly answer: RequestAnswer | null;
}

export function idempotencyStore(db: Kysely<Tables>): IdempotencyStore {
  return {
    async claim({ scope, key, fingerprint, at, lockedUntil, lapsedBefore }): Promise<Claimed> {
      // A conflicting row that may not be taken over is left as it is and read by the second part, from the same
      // snapshot; one that another claim writes right now is waited for, and read on the second look.
      const look = () =>
        sql<ClaimRow>`
          with claimed as (
            insert into idempotency_keys as held (scope, key, fingerprint, locked_until, at)
            values (${scope}, ${key}, ${fingerprint}, ${lockedUntil}::int8, ${at}::int8)
            on conflict (scope, key) do update
              set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until, answer = null, at = excluded.at
              where held.at < ${lapsedBefore}::int8 or held.locked_until <= ${at}::int8
            returning true as mine, fingerprint, answer
          )
          select * from claimed
          union all
          select false, fingerprint, answer from idempotency_keys
          where scope = ${scope} and key = ${key} and not exists (select from claimed)`.execute(db);
      const row = (await look()).rows[0] ?? (await look()).rows[0];
      if (row === undefined) return { kind: 'busy' };
      if (row.mine) return { kind: 'claimed' };
      if (row.fingerprint !== fingerprint) return { kind: 'differs' };
      return row.answer === null ? { kind: 'busy' } : { kind: 'answered', answer: row.answer };
    },

    async release({ scope, key, lockedUntil }) {
      await sql`
        delete from idempotency_keys
        where scope = ${scope} and key = ${key} and locked_until = ${lockedUntil}::int8`.execute(db);
    },

    async sweep(before) {
      const { numAffectedRows } = await sql`
        delete from idempotency_keys where (scope, key) in (
          select scope, key from idempotency_keys where at < ${before}::int8 order by at limit ${sweepRows}
          for update skip locked
        )`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}
