import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Exposition } from '../../ports/watch.js';
import type { HttpEnv } from '../environment.js';
import { HttpProblem } from '../problem.js';

/** For Prometheus: not a part of the API's description, and of all tenants together. */
export function metricsRoute(api: OpenAPIHono<HttpEnv>, exposition: Exposition): void {
  api.get('/metrics', async (c) => {
    if (c.get('principal').tenant !== null) {
      throw new HttpProblem({
        slug: 'forbidden',
        title: 'The key may not do this',
        status: 403,
        detail: 'Metrics count all tenants together, so a key of one tenant may not read them.',
      });
    }
    return c.body(await exposition.text(), 200, { 'Content-Type': exposition.contentType });
  });
}
