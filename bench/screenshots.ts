import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { followRedrive, startRedrive } from '../src/application/redrive.js';
import { redrivePrefix } from '../src/application/tenant-view.js';
import { chromiumPath, openScene, type Person } from '../test/console/scene.js';
import { fill } from './support/day.js';

/** Takes the screenshots of docs/screenshots from a house that is filled the same way each time: npm run screenshots. */
const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'screenshots');

async function shoot(person: Person, path: string, name: string, height = 900): Promise<void> {
  await person.page.setViewportSize({ width: 1440, height });
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
const { app } = scene.house;
const { extractions, reviews, deadLetters } = app.store;
const redriveId = `${redrivePrefix(scene.tenant)}stuck`;
const { items } = await reviews.list({ reason: 'contradiction' }, { limit: 1 });
const stuck = items[0];
const ended = await extractions.list({ reason: 'contradiction', tag: 'samples' }, { limit: 1 });
// Batches of the day are rows that no workflow carries: without this they would be shown as ended from outside.
Object.assign(app.engine, { standingOfBatch: async () => 'running' });
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
    await shoot(person, '/console/batches/harbour', 'batch', 1_040);
    await shoot(person, '/console/planner', 'planner');
    await shoot(person, '/console/specs', 'specs');
    await shoot(person, '/console/specs/claim/1/1', 'spec');
    await shoot(person, '/console/evaluations/e7a20000e7a20000', 'evaluation');
    await startRedrive(app, {
      ...{ id: redriveId, selection: { tenant: scene.tenant, reason: 'no_progress' }, promptVersion: null },
      ...{ most: null, inFlight: 4, perSecond: null },
    });
    await followRedrive(app, redriveId, () => undefined);
    await shoot(person, `/console/redrives/${redriveId}`, 'redrive');
  }
  await person.close();
}
const stranger = await scene.signIn('somebody', { width: 1440 });
await stranger.context.clearCookies();
await shoot(stranger, '/console', 'sign-in');
await scene.close();
