import { defineConfig } from 'vitest/config';
import LongestFirst from './test/longest-first.js';

/** Tests that start servers, processes or a browser: each file has a process of its own, that a fault cannot spread from. */
const integration = [
  'test/{chaos,embedded,examples,main,package,processes,serverless,workflows}/**/*.test.ts',
  'test/adapters/{anthropic,pdf,postgres,s3,temporal,webhooks}/**/*.test.ts',
  'test/{architecture,deployment,deployment-sizes}.test.ts',
  'test/application/{doors,overview,webhook-*}.test.ts',
  'test/cli/{export-size,label-guard,spec-file}.test.ts',
  'test/console/console.test.ts',
  'test/docs/{guides,shell-variables}.test.ts',
  'test/http/{abuse,metrics,parallel,records,server}.test.ts',
  'test/samples/papers.test.ts',
  'test/simulator/agreement.test.ts',
  'test/standin/main.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'integration', include: integration } },
      // Everything else shares processes, so that what a hundred files import is loaded once.
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: integration, isolate: false },
      },
    ],
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
