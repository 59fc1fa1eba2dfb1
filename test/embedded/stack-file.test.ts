import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { markProcess } from '../../src/embedded/process-identity.js';
import { digestSettings } from '../../src/embedded/setting-digests.js';
import { startedOtherwise, writeStackFile } from '../../src/embedded/stack-file.js';

it('a stack that runs was started otherwise where a setting differs, is missing or was added since', () => {
  const home = mkdtempSync(join(tmpdir(), 'endstop-stack-file-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const supervisor = markProcess(process.pid);
  if (supervisor === undefined) throw new Error('no mark');
  const write = (settings: Record<string, string>, state: 'running' | 'stopping' = 'running') =>
    writeStackFile(home, {
      ...{ state, supervisor, guard: undefined, startedAt: 0, addresses: undefined, processes: [] },
      settings: digestSettings(settings),
    });
  const differs = (value?: string) => startedOtherwise(home, 'ENDSTOP_SPECS', value);
  expect(differs('own.ts')).toBe(false);
  write({ ENDSTOP_SPECS: 'own.ts' });
  expect([differs('own.ts'), differs('other.ts'), differs(''), differs()]).toEqual([false, true, true, true]);
  write({ ENDSTOP_API_PORT: '1' });
  expect([differs('own.ts'), differs('')]).toEqual([true, false]);
  write({ ENDSTOP_SPECS: 'own.ts' }, 'stopping');
  expect(differs('other.ts')).toBe(false);
});
