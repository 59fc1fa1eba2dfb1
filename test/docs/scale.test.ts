import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { workerSize } from '../../src/main/worker-size.js';

const scale = readFileSync('docs/scale.md', 'utf8').replaceAll('\n', ' ');

/** What the generated page says, by the name of the row. */
const measured = new Map(
  readFileSync('docs/benchmarks.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, what = '', figure = '']) => [what, figure] as const),
);

it.each([
  ['time of one document alone, product / raw workflow', /([\d.]+x) its time for one document alone/],
  ['clean documents per second, 10 at once, product / raw workflow', /([\d.]+x) its documents a second/],
  ['memory of a worker for each open extraction', /(\d+ KB) beside the document/],
  ['documents a second that the embedded server carries', /(\d+) starts a second/],
])('docs/scale.md cites the benchmark: %s', (what, cited) => {
  const [, figure] = cited.exec(scale) ?? [];
  expect(figure).toBe(measured.get(what)?.replace(/ \(.*/, ''));
});

it('docs/scale.md cites the soak', () => {
  const [, documents, seconds] = /(\d+) in (\d+) s/.exec(measured.get('documents of the soak') ?? '') ?? [];
  const aSecond = Math.floor(Number(documents) / Number(seconds));
  expect(Number(seconds)).toBe(600);
  expect(scale).toContain(`${aSecond} a second for ten minutes by \`npm run bench soak\``);
});

it('docs/scale.md says how many slots come of memory and cores', () => {
  const both = (gib: number, cores: number) => {
    const { first, repair } = workerSize({ cores, memoryMib: gib * 1024, heapMib: 2_048 });
    return first + repair;
  };
  expect([both(4, 8), both(2, 8), both(1, 8), both(64, 1)]).toEqual([10, 3, 2, 9]);
  expect(scale).toMatch(
    /4 GiB carry 10 of both lanes, 2 GiB 3 .* one of each, and cores hold +them to 9 each/,
  );
});
