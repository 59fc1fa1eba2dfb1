import fc from 'fast-check';

/** Seconds that all property tests of replies may take together; `FUZZ_SECONDS` and `FUZZ_SEED` override. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 15);
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Vitest's own limit, well beyond the share of any one property. */
export const fuzzTimeoutMs = seconds * 1000 + 60_000;

console.log(
  `Fuzzing replies with seed ${seed} for ${seconds} s. ` +
    `Again: FUZZ_SEED=${seed} FUZZ_SECONDS=${seconds} npx vitest run test/reply; a failure also names its fast-check path.`,
);

/** Checks a property on as many cases as fit into its share of the time, and says how many that were. */
export function fuzz<Case>(
  name: string,
  share: number,
  cases: fc.Arbitrary<Case>,
  check: (example: Case) => void,
): void {
  let tried = 0;
  fc.assert(
    fc.property(cases, (example) => {
      tried += 1;
      check(example);
    }),
    { seed, numRuns: 10_000_000, interruptAfterTimeLimit: share * seconds * 1000 },
  );
  console.log(`  ${name}: ${tried} cases`);
}
