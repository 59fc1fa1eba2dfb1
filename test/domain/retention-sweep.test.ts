import { expect, test } from 'vitest';
import { addSwept, nothingSwept } from '../../src/domain/retention-sweep.js';

test('parts of a sweep add up', () => {
  const part = { documents: 1, inUse: 2, records: 4 };
  expect(addSwept(part, { documents: 10, inUse: 20, records: 40 })).toEqual({
    ...{ documents: 11, inUse: 22, records: 44 },
  });
  expect(addSwept(nothingSwept, part)).toEqual(part);
});
