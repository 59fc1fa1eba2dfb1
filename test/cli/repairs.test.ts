import { describe, expect, it } from 'vitest';
import { createCommandLine, jsonLines } from './command-line.js';

describe('endstop repairs', () => {
  it('shows each budget, what of it is used, and that repairs are on', async () => {
    const line = createCommandLine();
    line.store.traffic.counts.set('receipt', {
      primaries: 200,
      granted: 15,
      deniedByBudget: 4,
      deniedByPause: 1,
    });
    const { code, out } = await line.run('repairs', 'status');
    expect(code).toBe(0);
    const [titles, row] = out.split('\n').map((text) => text.split(/ {2,}/));
    expect(titles).toEqual(['SPEC', 'BUDGET', 'PRIMARIES', 'ALLOWED', 'GRANTED', 'USED', 'DENIED', 'STATE']);
    expect(row).toEqual(['receipt', '10 %, at least 10, in 5 min', '200', '20', '15', '7.5 %', '5', 'on']);
  });

  it('pauses and resumes, and says who did it and why', async () => {
    const line = createCommandLine();
    const paused = await line.run('repairs', 'pause', '--reason', 'a bad prompt', '--as', 'ada');
    expect(paused.code).toBe(0);
    expect(paused.out).toMatch(/all paused by ada since 2026-03-01 12:00Z: a bad prompt\n$/);
    const doctor = await line.run('doctor', '--json');
    expect(jsonLines(doctor).find(({ name }) => name === 'repairs')).toMatchObject({
      ok: true,
      says: expect.stringContaining('receipt: all paused by ada'),
    });
    const resumed = await line.run('repairs', 'resume', '--as', 'ada', '--json');
    expect(jsonLines(resumed)).toMatchObject([{ spec: 'receipt', paused: null }]);
  });

  it('refuses a spec that is not there, in one sentence', async () => {
    const line = createCommandLine();
    const ran = await line.run('repairs', 'pause', '--spec', 'recipe', '--as', 'ada');
    expect(ran).toEqual({
      code: 2,
      out: '',
      error: 'There is no spec "recipe"; known: receipt (the examples; ENDSTOP_SPECS is not set here).\n',
    });
    expect(line.store.traffic.switchRows).toEqual([]);
  });
});
