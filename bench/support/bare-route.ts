import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** What a route of bare Hono costs, in a process of its own; says where it listens. */
const bare = new Hono().get('/', (c) => c.json({ status: 'ok' }));
serve({ fetch: bare.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}/`),
);
