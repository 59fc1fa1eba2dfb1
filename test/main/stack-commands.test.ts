import { describe, expect, it } from 'vitest';
import { eventful } from '../../src/main/demo.js';
import { movedPorts } from '../../src/main/stack-commands.js';

describe('a stack that is up', () => {
  it('names what is not at its usual port, and nothing else', () => {
    const usual = { temporalUi: 'http://127.0.0.1:8233', standin: 'http://127.0.0.1:4690' };
    expect(movedPorts({ urls: usual })).toEqual([]);
    expect(movedPorts({ urls: {} })).toEqual([]);
    expect(movedPorts({ urls: { ...usual, standin: 'http://127.0.0.1:20001' } })).toEqual([
      'port 4690 is taken on this machine; the stand-in model gets 20001',
    ]);
  });
});

describe('the run that a demo recommends', () => {
  const run = (outcomeKind: 'verified' | 'unverified', attempts: number) => ({ outcomeKind, attempts });

  it('is one that recovered, else the one of the most attempts', () => {
    const recovered = run('verified', 2);
    expect(eventful([run('verified', 1), run('unverified', 3), recovered])).toBe(recovered);
    const exhausted = run('unverified', 3);
    expect(eventful([run('verified', 1), exhausted])).toBe(exhausted);
    expect(eventful([])).toBeUndefined();
  });
});
