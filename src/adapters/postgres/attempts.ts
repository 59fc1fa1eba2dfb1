import { type Kysely, type Selectable, sql } from 'kysely';
import type { AttemptReport } from '../../domain/attempt-report.js';
import type { RunRef } from '../../domain/extraction-input.js';
import type { Attempt, AttemptStore, Committed, StoredJson } from '../../ports/attempt-store.js';
import { DocumentErased } from '../../ports/store.js';
import type { Evidence } from '../../verification/evidence.js';
import type { Problem } from '../../verification/problem.js';
import type { Contradiction } from '../../verification/verdict.js';
import { callStore } from './calls.js';
import { writeCommit } from './commit.js';
import type { AttemptColumns } from './tables/extractions.js';
import type { Tables } from './tables.js';

export function attemptStore(db: Kysely<Tables>): AttemptStore {
  return {
    ...callStore(db),

    stored: (ref, attempt) => stored(db, ref, attempt),

    async problems(ref, attempt) {
      const row = await db
        .selectFrom('attempts')
        .select('problems')
        .where('key', '=', ref.key)
        .where('run', '=', ref.run)
        .where('attempt', '=', attempt)
        .executeTakeFirst();
      return (row?.problems ?? []) as readonly Problem[];
    },

    async previousCandidate(ref, beforeAttempt) {
      const row = await db
        .selectFrom('attempts')
        .select('candidate')
        .where('key', '=', ref.key)
        .where('run', '=', ref.run)
        .where('attempt', '<', beforeAttempt)
        .where('candidate', 'is not', null)
        .orderBy('attempt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return (row?.candidate ?? null) as StoredJson;
    },

    async commit(commit) {
      const { added, withdrew, verifiedAfterMs } = await writeCommit(db, commit);
      if (added) {
        const ended = verifiedAfterMs === null ? {} : { verifiedAfterMs };
        return { report: commit.report, withdrewReview: withdrew, ...ended };
      }
      const first = await stored(db, commit.ref, commit.report.attempt);
      if (first !== null) return first;
      throw (await isRun(db, commit.ref)) ? new DocumentErased() : new Error('There is no such run.');
    },

    recentP90Ms: (specId, since) => recentP90Ms(db, specId, since),

    async list(key, run) {
      const rows = await db
        .selectFrom('attempts')
        .selectAll()
        .where('key', '=', key)
        .where('run', '=', run)
        .orderBy('attempt')
        .execute();
      return rows.map(toAttempt);
    },
  };
}

async function isRun(db: Kysely<Tables>, { key, run }: RunRef): Promise<boolean> {
  const found = await db
    .selectFrom('extractions')
    .select('key')
    .where('key', '=', key)
    .where('run', '=', run)
    .executeTakeFirst();
  return found !== undefined;
}

const newestRuns = 200;
const fewestSamples = 10;

async function recentP90Ms(db: Kysely<Tables>, specId: string, since: number): Promise<(number | null)[]> {
  const { rows } = await sql<{ attempt: number; p90: number; samples: number }>`
    select attempt, samples::int,
      percentile_disc(0.9) within group (order by (report->>'durationMs')::int8)::int as p90
    from (
      select a.attempt, a.report, count(*) over (partition by a.attempt) as samples
      from (
        select key, run from extractions
        where spec_id = ${specId} and started_at >= ${since}
        order by started_at desc, key desc, run desc limit ${newestRuns}
      ) newest
      join attempts a using (key, run)
    ) measured
    group by attempt, samples
    order by attempt`.execute(db);
  const p90s: (number | null)[] = [];
  for (const { attempt, p90, samples } of rows) p90s[attempt - 1] = samples < fewestSamples ? null : p90;
  return Array.from(p90s, (p90) => p90 ?? null);
}

async function stored(db: Kysely<Tables>, ref: RunRef, attempt: number): Promise<Committed | null> {
  const row = await db
    .selectFrom('attempts')
    .select('report')
    .select((query) =>
      query
        .exists(
          query
            .selectFrom('review_tasks')
            .where('id', '=', ref.subject)
            .where('state', '=', 'withdrawn')
            .where('withdrawn_by', '=', `${ref.key}/${ref.run}`),
        )
        .as('withdrew'),
    )
    .where('key', '=', ref.key)
    .where('run', '=', ref.run)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  if (row === undefined) return null;
  const report = row.report as AttemptReport;
  return { report, withdrewReview: Boolean(row.withdrew) && report.result.kind === 'accepted' };
}

function toAttempt(row: Selectable<AttemptColumns>): Attempt {
  return {
    report: row.report as AttemptReport,
    problems: row.problems as readonly Problem[],
    contradiction: row.contradiction as Contradiction | null,
    candidate: row.candidate as StoredJson,
    evidence: row.evidence as readonly Evidence[],
    ungrounded: row.ungrounded,
    feedback: row.feedback,
    at: row.at,
  };
}
