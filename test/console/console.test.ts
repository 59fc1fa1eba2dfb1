import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figureCases } from './figures.js';
import { handoverCases } from './handover.js';
import { hostileCases } from './hostile.js';
import { liveCases } from './live.js';
import { reviewCases } from './review.js';
import { reviewKeyCases } from './review-keys.js';
import { reviewRuleCases } from './review-rules.js';
import { runCases } from './runs.js';
import { scanCases } from './scans.js';
import { chromiumPath, openScene, type Scene } from './scene.js';
import { walkCases } from './walk.js';

const executablePath = chromiumPath();

it.runIf(executablePath === null && process.env['CI'] !== undefined)(
  'there is a browser to look with',
  () => {
    expect.fail('The console was not looked at: install Chromium, or name one in ENDSTOP_CHROMIUM.');
  },
);

// Without a browser there is nothing to look at; .ci/run brings one.
describe.skipIf(executablePath === null)('the console in a real browser', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene(executablePath ?? '');
  });
  afterAll(async () => {
    await scene.close();
  });

  walkCases(() => scene);
  reviewCases(() => scene);
  reviewRuleCases(() => scene);
  reviewKeyCases(() => scene);
  figureCases(() => scene);
  runCases(() => scene);
  handoverCases(() => scene);
  scanCases(() => scene);
  hostileCases(() => scene);
  liveCases(() => scene);

  it('has asked no other server for anything, and nothing was refused by its policy or thrown', () => {
    expect(scene.complaints).toEqual([]);
  });
});
