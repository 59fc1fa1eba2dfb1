import { defineConfig } from 'vitest/config';
import LongestFirst from './test/longest-first.js';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    include: ['test/**/*.test.ts'],
    // Generous, since a busy machine is no fault of the code; how fast things are is told by bench/.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
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
