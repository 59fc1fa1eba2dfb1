import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { claim } from '../../specs/claim/claim.js';
import { extractionKey, subjectKey } from '../../src/application/keys.js';
import { readDocument } from '../../src/cli/document-file.js';
import type { FailureClass } from '../../src/domain/failure-class.js';
import type { Reason } from '../../src/domain/reason.js';
import { labelOf } from '../../src/spec/catalogue.js';
import { evaluation } from '../../test/console/evaluation.js';
import type { Scene } from '../../test/console/scene.js';
import { bytesOf, claimText, misread, seedReview } from '../../test/console/seed.js';

const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
const documents = 12_000;
const hour = 3_600_000;

/** A day of claims: 78 of 100 pass at once, half of the rest at the second attempt, a third of those at the third. */
const runs = `
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    outcome, reason, failure_class, route, policy, tags, file_name, started_at, deadline_at, closed_at, attempts)
  select encode(sha256(('day' || n)::bytea), 'hex'), 1, 'acme', md5('s' || n), md5('d' || n), 'claim', '1', '1', 'closed',
    case when made.last > 3 then 'unverified' else 'verified' end,
    case when made.last > 3 then (array['attempt_cap', 'attempt_cap', 'no_progress', 'token_ceiling', 'contradiction', 'refusal', 'oscillation', 'deadline'])[1 + n % 8] end,
    case when made.last > 3 then (array['constraint', 'schema', 'truncated'])[1 + n % 3] end,
    case when made.last > 3 then (array['human_review', 'fallback', 'human_review', 'best_effort', 'human_review'])[1 + n % 5] end,
    $2::jsonb, array['broker-' || n % 4], 'claim-' || n || '.pdf', at, at + 60000,
    at + 1500 + least(made.last, 3) * (900 + 31 * (n % 53)), least(made.last, 3)
  from generate_series(1, $1::int) n
  cross join lateral (select (extract(epoch from now()) * 1000)::int8 - n * (85000000 / $1::int) - (n * 7919) % 20000 as at) t
  cross join lateral (select case when (n * 37) % 100 < 78 then 1 when (n * 37) % 100 < 90 then 2 when (n * 37) % 100 < 94 then 3 else 4 end as last) made`;
const attempts = `
  insert into attempts (key, run, attempt, tenant, report, problems, evidence, ungrounded, verifier_version, at)
  select e.key, 1, a, e.tenant, jsonb_build_object('attempt', a, 'lane', case a when 1 then 'first' else 'repair' end,
    'model', 'claude-haiku-5-5', 'maxTokens', 1500, 'promptVersion', '1', 'requestId', null,
    'result', case when a = e.attempts and e.outcome = 'verified' then jsonb_build_object('kind', 'accepted', 'candidateHash', 'c')
      else jsonb_build_object('kind', 'rejected', 'failureClass', coalesce(e.failure_class, 'constraint'), 'problems', '[]'::jsonb,
        'candidateHash', 'c', 'replyHash', 'r', 'repairable', true, 'contradiction', null, 'truncation', null) end,
    'normalisations', '[]'::jsonb, 'usage', 'unknown', 'tokens', 4900 + a * 300, 'cost', jsonb_build_object('amount', '0.0061', 'currency', 'USD'),
    'durationMs', 1200, 'calls', 1), '[]', '[]', '{}', 'claim@1', e.started_at + 600 + a * ((e.closed_at - e.started_at - 700) / e.attempts)
  from extractions e cross join lateral generate_series(1, e.attempts) a where e.file_name like 'claim-%.pdf' and e.tags[1] like 'broker-%'`;
const calls = `
  insert into calls (key, run, attempt, tenant, lane, model, activity_id, state, tokens, cost, currency, known, started_at, ended_at, provider)
  select key, 1, attempt, tenant, report->>'lane', 'claude-haiku-5-5', 'a' || attempt, 'answered', (report->>'tokens')::int8, 0.0061,
    'USD', true, at - 1200, at - 20, 'stand-in' from attempts where verifier_version = 'claim@1' and report->>'requestId' is null`;

/** Three batches over the day's runs: one that comes in under its budget, one that will not, one that nothing bounds. */
const batches = `
  with batch (id, name, state, budget, cap, size, ended, hours) as (values
    ('2026-q1', 'First quarter, from the archive', 'running', 18000000::int8, 3, 2400, 1490, 3.0),
    ('harbour', 'Harbour Brokers, backlog', 'running', 3300000::int8, 2, 900, 400, 0.8),
    ('meridian', 'Meridian, monthly', 'finished', null::int8, 3, 360, 360, 20.0),
    ('trial-p1', 'Trial of prompt 1', 'finished', 1000000::int8, 3, 120, 120, 22.0)),
  timed as (select *, ((extract(epoch from now()) - hours * 3600) * 1000)::int8 as began from batch),
  opened as (insert into batches (id, tenant, name, spec_id, schema_version, prompt_version, policy, tags, redrive, in_flight,
      budget_tokens, deadline_ms, state, cap, documents, at, began_at, deadline_at, ended_at)
    select id, 'acme', name, 'claim', '1', '1', $1::jsonb, '{}', false, 14, budget, null, state, cap, size, began, began, null,
      case state when 'finished' then began + 3000000 end
    from timed returning id),
  lowered as (insert into batch_caps (batch_id, at, cap) select id, began + 1500000, cap from timed where cap < 3)
  insert into batch_documents (batch_id, item, key, subject, document_hash, file_name, tags, state, part, run, outcome, reason,
    attempts, tokens, ended)
  select timed.id, 'item-' || place, key, subject, document_hash, file_name, '{}',
    case when place <= ended then 'ended' when place <= ended + 14 and ended < size then 'running' else 'waiting' end,
    case when place <= ended + 14 then 'own' end, case when place <= ended + 14 then 1 end,
    case when place <= ended then outcome end, case when place <= ended then reason end,
    case when place <= ended then attempts else 0 end, case when place <= ended then attempts * 5100 else 0 end,
    case when place <= ended then nextval('batch_endings') end
  from timed cross join lateral (select row_number() over (order by e.started_at < began, e.started_at) as place, e.*
    from extractions e where e.file_name like 'claim-%.pdf' order by place limit size) e where exists (select from opened)`;

/** Fills a house the same way each time: a day of claims, batches, reviews, letters, and every sample really run. */
export async function fill(scene: Scene): Promise<void> {
  const { house, tenant } = scene;
  const client = new pg.Client({ connectionString: house.database.databaseUrl });
  await client.connect();
  const policy = JSON.stringify(house.app.catalogue.current('claim')?.policy);
  await client.query(runs, [documents, policy]);
  await client.query(attempts);
  await client.query(calls);
  await client.query(batches, [policy]);
  await client.end();
  const index = JSON.parse(readFileSync(join(samples, 'index.json'), 'utf8')) as {
    readonly samples: readonly { readonly file: string; readonly spec: string }[];
  };
  for (const { file, spec } of index.samples) {
    const document = await readDocument(join(samples, file));
    await house.extract({
      tenant,
      specId: spec,
      document,
      fileName: file.split('/').at(-1) ?? file,
      tags: ['samples'],
    });
  }
  await askPeople(scene);
  for (const [id, promptVersion, hoursAgo, right] of [
    ['e7a10000e7a10000', '0', 50, 17],
    ['e7a20000e7a20000', claim.prompt.version, 1, 18],
  ] as const) {
    const endedAt = Date.now() - hoursAgo * hour;
    const kept = evaluation({ id, promptVersion, beganAt: endedAt - 63_000, endedAt }, right);
    await house.app.store.evaluations.add(kept);
  }
  await park(scene);
}

/** Reviews of all ages, each with its document; the oldest is overdue and two are held. */
async function askPeople({ house: { app }, tenant }: Scene): Promise<void> {
  const asked = [
    ['48210.00', 'attempt_cap', 26.5],
    ['17940.50', 'no_progress', 7.2],
    ['9120.00', 'oscillation', 5.1],
    ['6480.75', 'attempt_cap', 3.9],
    ['2210.30', 'no_progress', 3.1],
    ['1388.00', 'token_ceiling', 2.6],
    ['912.40', 'attempt_cap', 1.4],
    ['699.36', 'no_progress', 0.7],
  ] as const satisfies readonly (readonly [amount: string, reason: Reason, hoursAgo: number])[];
  for (const [index, [amount, reason, hoursAgo]] of asked.entries()) {
    const number = 400 + index;
    const other = { ...misread(number), total_claimed: '966.63' };
    const { review } = await seedReview(app, {
      ...{ tenant, bytes: bytesOf(claimText(number)), candidates: [other, misread(number)], amount, reason },
      ...{ fileName: `claim-${10_000 + number}.txt`, at: Date.now() - hoursAgo * hour },
    });
    const actor = ['N. Haddad', 'M. Okafor'][index - 1];
    if (actor === undefined) continue;
    await app.store.reviews.lease(review, { kind: 'claim', actor, leaseMs: 900_000 }, Date.now());
  }
}

/** Letters of two weeks. */
async function park({ house: { app }, tenant }: Scene): Promise<void> {
  const groups = [
    ['attempt_cap', 'constraint', 21],
    ['no_progress', 'constraint', 13],
    ['token_ceiling', 'truncated', 9],
    ['provider_unavailable', null, 6],
    ['no_capacity', 'schema', 4],
  ] as const satisfies readonly (readonly [Reason, FailureClass | null, number])[];
  let number = 1_000;
  for (const [reason, failureClass, count] of groups) {
    for (let index = 0; index < count; index += 1) {
      number += 1;
      const at = Date.now() - (index * 15.7 + 2) * hour;
      const bytes = bytesOf(claimText(number));
      const documentHash = await app.store.documents.put({ tenant, mediaType: 'text/plain', bytes, at });
      const { id: specId, ...versions } = labelOf(claim);
      const parts = { tenant, documentHash, specId, ...versions };
      const ref = { ...parts, key: extractionKey(parts), subject: subjectKey(parts), run: 1 };
      const fileName = `claim-${10_000 + number}.txt`;
      await app.store.extractions.open(
        { ...ref, policy: claim.policy, tags: [], batchId: null, at: at - 9_000, fileName },
        false,
      );
      await app.store.extractions.land({
        ...{ ref, at, route: 'dead_letter', bestAttempt: null, amount: null, reviewDueAt: null },
        ending: { kind: 'unverified', attempts: 0, reason, failureClass, diagnosis: null, repliesRead: 0 },
      });
    }
  }
}
