import { prebuildWorkflows } from '../adapters/temporal/workflow-bundle.js';

// What `npm run bundle` runs, at a release and before tests: workers then start without bundling.
const startedAt = performance.now();
const bytes = await prebuildWorkflows();
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
process.stdout.write(`Bundled the workflows: ${(bytes / 1_024).toFixed(0)} KiB in ${seconds} s.\n`);
