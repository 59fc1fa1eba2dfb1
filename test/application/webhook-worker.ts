import { createPostgresStore } from '../../src/adapters/postgres/store.js';
import { dispatcherOf } from './webhook-bench.js';

/** A dispatcher in a process of its own, so that a test can kill it. */
const { webhooks } = createPostgresStore({ databaseUrl: process.argv[2] ?? '' });
await dispatcherOf({ webhooks }).run();
