import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/closing-line.ts'],
    passWithNoTests: false,
    coverage: {
      provider: 'v8',
      // The rooms that decide: every branch of theirs is tested, or the run is red.
      include: ['src/domain/**/*.ts', 'src/planner/**/*.ts', 'src/reply/**/*.ts', 'src/verification/**/*.ts'],
      thresholds: { branches: 100 },
      reporter: [['text', { skipFull: true }]],
    },
  },
});
