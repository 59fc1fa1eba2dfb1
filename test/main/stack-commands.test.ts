import { describe, expect, it } from 'vitest';
import { eventful } from '../../src/main/demo.js';
import { addresses } from '../../src/main/stack-commands.js';

describe('a stack that is up', () => {
  const stack = (urls: Record<string, string>, model?: { provider: string; url: string }) =>
    addresses({
      ...{ databaseUrl: 'postgresql://u:p@127.0.0.1:5439/x', temporalAddress: '127.0.0.1:7233', urls },
      ...(model === undefined ? {} : { model }),
    });

  it('says which model is called, whichever that is, and no password', () => {
    expect(stack({ standin: 'http://127.0.0.1:4690' })).toMatch(
      /^Model +the stand-in at http:\/\/127\.0\.0\.1:4690$/m,
    );
    expect(stack({}, { provider: 'anthropic', url: 'https://api.anthropic.com' })).toMatch(
      /^Model +anthropic at https:\/\/api\.anthropic\.com$/m,
    );
    expect(stack({}, { provider: 'gate:81', url: 'http://me:secret@gate:81/v/' })).toMatch(
      /^Model +http:\/\/gate:81\/v$/m,
    );
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
