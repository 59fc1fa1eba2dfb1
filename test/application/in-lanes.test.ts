import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inLanes } from '../../src/application/in-lanes.js';

describe('given more work than lanes', () => {
  it('when it is done, then at most that many are under way and the answers stand in order', async () => {
    let underWay = 0;
    let most = 0;
    const done = await inLanes([30, 1, 20, 2, 10], 2, async (ms) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await pause(ms);
      underWay -= 1;
      return ms * 2;
    });
    expect(done).toEqual([60, 2, 40, 4, 20]);
    expect(most).toBe(2);
  });

  it('when one fails, then nothing new begins, what runs is waited for, and the failure is told', async () => {
    const begun: number[] = [];
    let finished = false;
    const work = inLanes([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('first');
      await pause(5);
      finished = true;
    });
    await expect(work).rejects.toThrow('first');
    expect(begun).toEqual([1, 2]);
    expect(finished).toBe(true);
  });

  it('when there is no work, then nothing happens', async () => {
    expect(await inLanes([], 3, async () => 1)).toEqual([]);
  });
});
