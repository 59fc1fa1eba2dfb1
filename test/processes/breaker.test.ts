import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { createConsole } from '../../src/console/app.js';
import type { Spec } from '../../src/spec/spec.js';
import { eventually } from '../support/eventually.js';
import { claimText } from '../support/papers.js';
import { openScene, type Scene } from '../workflows/scene.js';
import type { EndstopProcess } from './endstop-process.js';
import { startWorkerProcess } from './worker-process.js';

/** The bundled claims, with time enough for a slow machine. */
const spec = { ...claim, policy: { ...claim.policy, deadlineMs: 240_000 } } as unknown as Spec;
vi.setConfig({ testTimeout: 180_000 });

let scene: Scene;
let worker: EndstopProcess;
beforeAll(async () => {
  scene = await openScene({ specs: [spec], lanes: [] });
  worker = await startWorkerProcess(scene);
});
afterAll(async () => {
  await worker.end('SIGKILL');
  await scene.close();
});

/** What the overview says about breakers, as somebody reads it so much later. */
async function breakersShown(laterMs = 0): Promise<string> {
  const app = { ...scene.house.app, now: () => Date.now() + laterMs };
  const pages = { layout: async () => null } as unknown as Parameters<typeof createConsole>[0]['pages'];
  const site = createConsole({
    ...{ app, pages, apiKey: null, keyless: true, inFlight: 1, version: '0' },
    logger: pino({ level: 'silent' }),
  });
  const answer = await site.request('/', { headers: { host: '127.0.0.1', accept: 'text/html' } });
  const html = await answer.text();
  const from = html.slice(html.indexOf('id="h-breakers"'));
  return from.slice(0, from.indexOf('</section>')).replaceAll(/<[^>]*>/g, '');
}

const overloaded = { behaviour: { rate529: 1 } };

it('a breaker that opens is on the overview until it closes, and what a killed worker said holds no longer', async () => {
  expect(await breakersShown()).toContain(
    'No worker has told of a breaker: each does within half a minute of its first call.',
  );
  // Three failed calls each, so that five in a row open it whichever comes first.
  const lost = claimText({ extra: 'The first one.' });
  const alsoLost = claimText({ extra: 'The second one.' });
  await Promise.all([lost, alsoLost].map((text) => scene.submit({ spec, text, turns: [overloaded] })));
  await eventually(async () => {
    const shown = await breakersShown();
    expect(shown).toContain('are held back by 1 of 1 worker since');
    expect(shown).toContain('after overloaded');
    expect(shown).toContain(`${worker.pid}@`);
  });

  const { extraction } = await scene.run({ spec, text: claimText({}), turns: [{}] });
  expect(extraction.outcome).toBe('verified');
  await eventually(async () => {
    expect(await breakersShown()).toContain('Closed: calls of 1 worker get through.');
  });

  const more = ['third', 'fourth'].map((name) => claimText({ extra: `The ${name} one.` }));
  for (const text of more) await scene.submit({ spec, text, turns: [overloaded] });
  await eventually(async () => {
    expect(await breakersShown()).toContain('are held back by 1 of 1 worker since');
  });
  await worker.end('SIGKILL');
  expect(await breakersShown()).toContain('are held back by 1 of 1 worker since');
  const later = await breakersShown(120_000);
  expect(later).not.toContain('Open:');
  expect(later).toMatch(new RegExp(`${worker.pid}@\\S+ told of a breaker .* was last heard from`));
});
