import { describe, expect, it } from 'vitest';
import { untilStored } from '../../activities/until-stored.js';
import { StoreUnavailable } from '../../src/ports/store.js';

const down = () => new StoreUnavailable('the store is down');

/** Fails this often, then answers; counts how often it was asked. */
function store(failures: number, error: () => Error = down) {
  const asked = { times: 0 };
  const write = async () => {
    asked.times += 1;
    if (asked.times <= failures) throw error();
    return 'stored';
  };
  return { asked, write };
}

describe('a write that was paid for', () => {
  it('is tried again until the store takes it', async () => {
    const { asked, write } = store(3);
    expect(await untilStored(write, [1, 1, 1])).toBe('stored');
    expect(asked.times).toBe(4);
  });

  it('is given up for good as store_unavailable when the pauses are used up', async () => {
    const { asked, write } = store(9);
    await expect(untilStored(write, [1, 1])).rejects.toMatchObject({
      type: 'store_unavailable',
      nonRetryable: true,
    });
    expect(asked.times).toBe(3);
  });

  it('is not tried again when the failure is a bug', async () => {
    const { asked, write } = store(9, () => new TypeError('a bug'));
    await expect(untilStored(write, [1, 1])).rejects.toThrow(TypeError);
    expect(asked.times).toBe(1);
  });

  it('that only the last try finds to be a bug says so', async () => {
    let times = 0;
    const write = async () => {
      times += 1;
      throw times === 3 ? new TypeError('a bug') : down();
    };
    await expect(untilStored(write, [1, 1])).rejects.toThrow(TypeError);
  });
});
