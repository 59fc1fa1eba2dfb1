import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withHeartbeat } from '../../activities/heartbeat.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const beats: number[] = [];
  const began = Date.now();
  return { beats, context: { heartbeat: () => void beats.push(Date.now() - began) } };
}

const lasting = (ms: number) => () => new Promise<string>((resolve) => setTimeout(resolve, ms, 'done'));

describe('an activity', () => {
  it('that is over within five seconds beats never', async () => {
    const { beats, context } = watched();
    const work = withHeartbeat(context, lasting(4_999));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await work).toBe('done');
    expect(beats).toEqual([]);
  });

  it('that takes longer beats often enough for the fifteen seconds after which it counts as lost', async () => {
    const { beats, context } = watched();
    const work = withHeartbeat(context, lasting(40_000));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await work).toBe('done');
    const gaps = [...beats, 40_000].map((at, index) => at - (beats[index - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(5_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that fails stops beating, too', async () => {
    const { beats, context } = watched();
    const failing = async () => {
      await lasting(6_000)();
      throw new Error('broken');
    };
    const work = withHeartbeat(context, failing).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await work).toBe('broken');
    expect(beats).toEqual([5_000]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
