import { expect, it } from 'vitest';
import { startEndstop } from './endstop-process.js';

it('a demo that is stopped between two samples ends in words, with nothing left behind', async () => {
  const demo = await startEndstop(['demo'], {}, 'verified');
  expect(await demo.end('SIGINT')).toBe(0);
  const [, afterwards] = demo.output().split('Stopping ...\n');
  // Lines of runs that ended meanwhile may still come; a stack trace must not, and neither must the table.
  expect(demo.output()).toMatch(/^Extracting 45 sample documents as tenant demo-/m);
  expect(demo.output()).not.toContain('Warning');
  expect(afterwards).not.toMatch(/\bat .*:\d+:\d+|Error|OUTCOME/);
});
