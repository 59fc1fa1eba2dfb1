import fc from 'fast-check';
import { expect, it } from 'vitest';
import { thisMachine, workerSize } from '../../src/main/worker-size.js';

const gib = 1024;

it.each([
  ['a small container', { cores: 1, memoryMib: gib, heapMib: 512 }, [1, 1, 5, 182]],
  ['half a core and little memory', { cores: 0, memoryMib: 256, heapMib: 128 }, [1, 1, 5, 50]],
  ['one core', { cores: 1, memoryMib: 4 * gib, heapMib: 2 * gib }, [7, 2, 5, 500]],
  ['the machine of the plan', { cores: 2, memoryMib: 8 * gib, heapMib: 4 * gib }, [14, 4, 10, 500]],
  ['a large machine', { cores: 64, memoryMib: 256 * gib, heapMib: 4 * gib }, [56, 16, 20, 500]],
])('%s gets slots that suit it', (_name, machine, [first, repair, store, workflows]) => {
  expect(workerSize(machine)).toEqual({ first, repair, store, workflows });
});

it('never makes more calls at once than half of the memory holds, and always can make one in each lane', () => {
  fc.assert(
    fc.property(fc.nat(128), fc.integer({ min: 64, max: 1e6 }), (cores, memoryMib) => {
      const { first, repair } = workerSize({ cores, memoryMib, heapMib: 2_048 });
      expect(first).toBeGreaterThanOrEqual(1);
      expect(repair).toBeGreaterThanOrEqual(1);
      if (first + repair > 2) expect((first + repair) * 150 + 512).toBeLessThanOrEqual(memoryMib / 2);
    }),
  );
});

it('knows the machine it runs on', () => {
  const machine = thisMachine();
  for (const part of Object.values(machine)) expect(part).toBeGreaterThan(0);
  expect(machine.memoryMib).toBeLessThan(1e8);
});

it('knows what a function was given', () => {
  expect(thisMachine({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256' }).memoryMib).toBe(256);
});
