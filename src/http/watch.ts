import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Watch } from '../ports/watch.js';
import type { HttpEnv } from './environment.js';

/** Methods of the API; others are counted as one, since anybody may make some up. */
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Counts what was asked and how long it took, and goes on with the caller's trace. */
export function watchRequests(watch: Watch): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const beganAt = performance.now();
    const headers = ['traceparent', 'tracestate', 'baggage'].flatMap((name) => {
      const value = c.req.header(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    await watch.continued(Object.fromEntries(headers), () => next());
    const { method } = c.req;
    // The framework answers HEAD by what GET has.
    const handled = method === 'HEAD' ? 'GET' : method;
    // What matched last is the endpoint; what matched no endpoint is one of a kind.
    const route = matchedRoutes(c).findLast((matched) => matched.method === handled)?.path ?? 'other';
    const known = methods.has(method) ? method : 'other';
    watch.requestAnswered(known, route, c.res.status, performance.now() - beganAt);
  };
}
