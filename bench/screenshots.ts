import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readDocument } from '../src/cli/document-file.js';
import { chromiumPath, openScene, type Person, type Scene } from '../test/console/scene.js';

/** Takes the screenshots of docs/screenshots from a house that is filled the same way each time: npm run screenshots. */
const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'screenshots');
const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const documents = 2_400;

/** A day of claims: 78 of 100 pass at once, half of the rest at the second attempt, a third of those at the third. */
const runs = `
  insert into extractions (key, run, tenant, subject, document_hash, spec_id, schema_version, prompt_version, state,
    outcome, reason, failure_class, route, policy, tags, file_name, started_at, deadline_at, closed_at, attempts)
  select encode(sha256(('day' || n)::bytea), 'hex'), 1, 'acme', md5('s' || n), md5('d' || n), 'claim', '1', '1', 'closed',
    case when made.last > 3 then 'unverified' else 'verified' end,
    case when made.last > 3 then (array['attempt_cap', 'attempt_cap', 'no_progress', 'token_ceiling', 'contradiction', 'refusal', 'oscillation', 'deadline'])[1 + n % 8] end,
    case when made.last > 3 then (array['constraint', 'schema', 'truncated'])[1 + n % 3] end,
    case when made.last > 3 then (array['best_effort', 'fallback', 'best_effort', 'fallback', 'best_effort'])[1 + n % 5] end,
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

async function fill(scene: Scene): Promise<void> {
  const { house, tenant } = scene;
  const client = new pg.Client({ connectionString: house.database.databaseUrl });
  await client.connect();
  const policy = JSON.stringify(house.app.catalogue.current('claim')?.policy);
  await client.query(runs, [documents, policy]);
  await client.query(attempts);
  await client.query(calls);
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
}

async function shoot(person: Person, path: string, name: string): Promise<void> {
  await person.open(path);
  await person.page.waitForTimeout(1_500);
  await person.page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`${name}.png`);
}

const executablePath = chromiumPath();
if (executablePath === null)
  throw new Error('No Chromium was found: install one, or name it in ENDSTOP_CHROMIUM.');
mkdirSync(folder, { recursive: true });
const scene = await openScene(executablePath);
await fill(scene);
const { extractions, reviews, deadLetters } = scene.house.app.store;
const { items } = await reviews.list({ reason: 'contradiction' }, { limit: 1 });
const stuck = items[0];
const ended = await extractions.list({ reason: 'contradiction', tag: 'samples' }, { limit: 1 });
const [group] = await deadLetters.groups({});
const chosen = encodeURIComponent(
  JSON.stringify([
    group?.specId,
    group?.reason,
    group?.failureClass,
    group?.promptVersion,
    group?.schemaVersion,
  ]),
);
for (const theme of ['light', 'dark'] as const) {
  const person = await scene.signIn('operator', { theme, width: 1440 });
  await shoot(person, '/console', `overview-${theme}`);
  await person.open(`/console/reviews/${stuck?.id}`);
  if (theme === 'light') await person.page.locator('#take').click();
  await shoot(person, `/console/reviews/${stuck?.id}`, `review-${theme}`);
  if (theme === 'light') {
    await shoot(person, '/console/extractions', 'extractions');
    await shoot(person, `/console/extractions/${ended.items[0]?.key}`, 'extraction');
    await shoot(person, '/console/reviews', 'review-queue');
    await shoot(person, `/console/dead-letters?g=${chosen}`, 'dead-letters');
    await shoot(person, '/console/batches', 'batches');
    await shoot(person, '/console/planner', 'planner');
    await shoot(person, '/console/specs/claim/1/1', 'spec');
  }
  await person.close();
}
await scene.close();
