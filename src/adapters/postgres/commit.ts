import { type Kysely, sql } from 'kysely';
import type { AttemptCommit } from '../../ports/attempt-store.js';
import { json, jsonOrNull } from './json.js';
import { storableAmount } from './landing.js';
import { retried } from './retry.js';
import type { Tables } from './tables.js';

/** What one commit came to. `added` is false when the attempt had been committed before, or its document was erased. */
export interface Written {
  readonly added: boolean;
  readonly withdrew: boolean;
  /** How long the run took; null when this commit did not end it. */
  readonly verifiedAfterMs: number | null;
}

/**
 * One statement, so that a clean document costs one round trip here. Each part feeds on the one before it, which
 * also fixes the order in which rows are locked: extraction, review task, dead letters, record (as in landing.ts).
 * When the attempt is there already, or the run was closed meanwhile, all later parts find nothing to do.
 */
export function writeCommit(db: Kysely<Tables>, commit: AttemptCommit): Promise<Written> {
  return retried(async () => {
    const { rows } = await statement(commit).execute(db);
    return rows[0] ?? { added: false, withdrew: false, verifiedAfterMs: null };
  });
}

function statement(commit: AttemptCommit) {
  const { ref, report } = commit;
  const accepted = report.result.kind === 'accepted';
  const amount = storableAmount(commit.sample?.amount ?? null);
  return sql<Written>`
    with kept as (
      -- Locked, so that an erasure comes before this or sees all of it.
      select key, run, tenant from extractions
      where key = ${ref.key} and run = ${ref.run} and erased_at is null for no key update
    ), added as (
      insert into attempts (key, run, attempt, tenant, report, problems, contradiction, candidate, evidence,
        ungrounded, feedback, verifier_version, at)
      select key, run, ${report.attempt}::int4, tenant, ${json(report)}::jsonb, ${json(commit.problems)}::jsonb,
        ${jsonOrNull(commit.contradiction)}::jsonb, ${jsonOrNull(commit.candidate)}::jsonb,
        ${json(commit.evidence)}::jsonb, ${[...commit.ungrounded]}::text[], ${commit.feedback}::text,
        ${commit.verifierVersion}, ${commit.at}::int8
      from kept
      on conflict (key, run, attempt) do nothing
      returning *
    ), closed as (
      update extractions e set state = 'closed', outcome = 'verified', attempts = added.attempt, closed_at = added.at
      from added where e.key = added.key and e.run = added.run and e.state = 'open' and ${accepted}::boolean
      returning e.*
    ), withdrawn as (
      update review_tasks t set state = 'withdrawn', withdrawn_by = closed.key || '/' || closed.run,
        withdrawn_from = t.holder, decided_at = closed.closed_at, holder = null, lease_expires_at = null,
        version = t.version + 1
      -- What asks about a sample asks about another record, whatever becomes of the subject.
      from closed where t.subject = closed.subject and t.state = 'open' and t.kind = 'exhausted'
      returning t.*
    ), sampled as (
      insert into review_tasks (id, kind, key, run, tenant, subject, document_hash, spec_id, schema_version,
        prompt_version, state, best_attempt, amount, currency, created_at)
      select ${commit.sample?.reviewId ?? null}::text, 'sample', closed.key, closed.run, closed.tenant, closed.subject,
        closed.document_hash, closed.spec_id, closed.schema_version, closed.prompt_version, 'open', added.attempt,
        ${amount?.amount ?? null}::numeric, ${amount?.currency ?? null}, added.at
      from closed, added
      -- Where a person has spoken already, there is nothing to ask.
      where ${commit.sample !== null}::boolean and not exists (select from records r
        where r.subject = closed.subject and r.verification_status = 'human_verified' and r.refuted_at is null)
      on conflict (id) do nothing
      returning *
    ), told as (
      insert into review_events (review, subject, tenant, kind, version, by_run, holder, at)
      select id, subject, tenant, 'withdrawn', version, withdrawn_by, withdrawn_from, decided_at from withdrawn
      union all
      select id, subject, tenant, 'opened', version, key || '/' || run, null, created_at from sampled
    ), recovered as (
      update dead_letters d set state = 'recovered'
      from closed, (select count(*) from withdrawn) as first
      where d.subject = closed.subject and d.state <> 'recovered'
      returning d.key
    ), recorded as (
      insert into records (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, source,
        verification_status, record, evidence, ungrounded, unmet, normalisations, verifier_version, at)
      select closed.key, closed.run, closed.tenant, closed.subject, closed.document_hash, closed.spec_id,
        closed.schema_version, closed.prompt_version, 'model', 'verified', added.candidate, added.evidence,
        added.ungrounded, '[]'::jsonb, added.report -> 'normalisations', added.verifier_version, added.at
      from closed, added where (select count(*) from recovered) >= 0
      on conflict (key, source) do update set
        run = excluded.run, verification_status = excluded.verification_status, record = excluded.record,
        evidence = excluded.evidence, ungrounded = excluded.ungrounded, unmet = excluded.unmet,
        normalisations = excluded.normalisations, verifier_version = excluded.verifier_version, at = excluded.at
    )
    select exists (select from added) as added, exists (select from withdrawn) as withdrew,
      (select closed_at - started_at from closed) as "verifiedAfterMs"`;
}
