import { describe, expect, it } from 'vitest';
import { remembered } from '../../src/application/remembered.js';

const scene = (answers: readonly (() => Promise<string>)[]) => {
  let asked = 0;
  const recall = remembered<object, string, string>(1_000);
  const owner = {};
  return {
    asked: () => asked,
    recall: (now: number, key = 'a', of: object = owner) =>
      recall(of, key, now, async () => {
        asked += 1;
        return (await answers[asked - 1]?.()) ?? `answer ${asked}`;
      }),
  };
};

describe('an answer that is remembered', () => {
  it('is given again until it is too old', async () => {
    const { recall, asked } = scene([]);
    expect(await Promise.all([recall(5_000), recall(5_000)])).toEqual(['answer 1', 'answer 1']);
    expect(await recall(5_999)).toBe('answer 1');
    expect(await recall(6_000)).toBe('answer 2');
    expect(asked()).toBe(2);
  });

  it('is of one owner and one question', async () => {
    const { recall } = scene([]);
    expect(await recall(5_000)).toBe('answer 1');
    expect(await recall(5_000, 'b')).toBe('answer 2');
    expect(await recall(5_000, 'a', {})).toBe('answer 3');
  });

  it('is asked for anew when it failed, or when the clock was set back', async () => {
    const { recall } = scene([() => Promise.reject(new Error('away'))]);
    await expect(recall(5_000)).rejects.toThrow('away');
    expect(await recall(5_000)).toBe('answer 2');
    expect(await recall(4_999)).toBe('answer 3');
  });
});
