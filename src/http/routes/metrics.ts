import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Exposition } from '../../ports/watch.js';
import type { HttpEnv } from '../environment.js';

/** For Prometheus: not a part of the API's description, and of all tenants together, as every key that may read it is. */
export function metricsRoute(api: OpenAPIHono<HttpEnv>, exposition: Exposition): void {
  api.get('/metrics', async (c) => {
    return c.body(await exposition.text(), 200, { 'Content-Type': exposition.contentType });
  });
}
