import { type Kysely, sql } from 'kysely';
import { type BatchCount, type BatchPart, batchParts } from '../../domain/batch.js';
import type { Reason } from '../../domain/reason.js';
import type { Tables } from './tables.js';

interface Group {
  state: 'waiting' | 'starting' | 'running' | 'ended';
  part: BatchPart | null;
  outcome: 'verified' | 'unverified' | null;
  reason: Reason | null;
  count: number;
  tokens: number;
  attempts: number;
  largest: number;
}

/** How the documents of a batch stand. Two statements: of one instant each, and no more exact than a look can be. */
export async function countBatch(db: Kysely<Tables>, id: string, cap: number): Promise<BatchCount> {
  const { rows: groups } = await sql<Group>`
    select state, part, outcome, reason, count(*) as count, sum(tokens)::int8 as tokens, sum(attempts)::int8 as attempts,
      max(ceil(tokens::numeric / greatest(attempts, 1)))::int8 as largest
    from batch_documents where batch_id = ${id}
    group by state, part, outcome, reason`.execute(db);
  const { rows } = await sql<{ tokens: number; beyond: number }>`
    select coalesce(sum(spent.tokens), 0)::int8 as tokens,
      coalesce(sum(greatest(0, ${cap}::int4 - 1 - made.attempts)), 0)::int8 as beyond
    from batch_documents d
    cross join lateral (
      select coalesce(sum(tokens), 0)::int8 as tokens from calls
      where calls.key = d.key and calls.run = d.run and calls.state <> 'open'
    ) spent
    cross join lateral (
      select count(*) as attempts from attempts where attempts.key = d.key and attempts.run = d.run
    ) made
    where d.batch_id = ${id} and d.state in ('starting', 'running') and d.part = 'own'`.execute(db);
  const { tokens, beyond } = rows[0] ?? { tokens: 0, beyond: 0 };

  const total = (matches: (group: Group) => boolean, what: 'count' | 'tokens' | 'attempts' = 'count') =>
    groups.filter(matches).reduce((sum, group) => sum + group[what], 0);
  const isUnderWay = ({ state }: Group) => state === 'starting' || state === 'running';
  const isOwnEnded = ({ state, part }: Group) => state === 'ended' && part === 'own';
  const unverified: Partial<Record<Reason, number>> = {};
  for (const { reason, count } of groups) {
    if (reason !== null) unverified[reason] = (unverified[reason] ?? 0) + count;
  }
  return {
    waiting: total(({ state }) => state === 'waiting'),
    underWay: total(isUnderWay),
    ownUnderWay: total((group) => isUnderWay(group) && group.part === 'own'),
    verified: total(({ outcome }) => outcome === 'verified'),
    unverified,
    refused: total(({ part }) => part === 'refused'),
    parts: Object.fromEntries(
      batchParts.map((part) => [part, total((group) => group.part === part)]),
    ) as Record<BatchPart, number>,
    completed: total(isOwnEnded),
    completedTokens: total(isOwnEnded, 'tokens'),
    completedAttempts: total(isOwnEnded, 'attempts'),
    tokens: total(isOwnEnded, 'tokens') + tokens,
    beyond,
    largestAttemptTokens: Math.max(0, ...groups.filter(isOwnEnded).map(({ largest }) => largest)),
  };
}
