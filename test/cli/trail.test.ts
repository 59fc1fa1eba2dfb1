import { describe, expect, it } from 'vitest';
import { createCommandLine, jsonLines, rowsOf } from './command-line.js';

const entry = (actor: string, at: number) => ({
  ...{ keyId: '0123456789ab', actor, action: 'cancelExtraction', subject: 'a'.repeat(64) },
  ...{ tenant: 'acme', requestId: 'r', at },
});

describe('endstop trail', () => {
  it('lists who changed what, newest first, narrowed and as JSON', async () => {
    const line = createCommandLine();
    await line.store.trail.add(entry('kim', 1));
    await line.store.trail.add(entry('lou', 2));
    const listed = await line.run('trail');
    expect(rowsOf(listed.out)[1]).toEqual([
      ...['1970-01-01T00:00:00.002Z', 'lou', 'cancelExtraction', 'aaaaaaaaaaaa', 'acme'],
    ]);
    const own = jsonLines(await line.run('trail', '--actor', 'kim', '--json'));
    expect(own).toMatchObject([{ actor: 'kim', subject: 'a'.repeat(64) }]);
    expect((await line.run('trail', '--subject', 'bb')).out).toBe('None.\n');
  });
});
