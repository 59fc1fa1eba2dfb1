import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Handler } from 'hono';
import type { HttpEnv } from './environment.js';
import { HttpProblem } from './problem.js';

/** Answers 405 with the methods that the path has. */
function refuse(allowed: readonly string[]): Handler<HttpEnv> {
  const list = [...new Set(allowed)].sort().join(', ');
  return (c) => {
    c.header('Allow', list);
    throw new HttpProblem({ slug: 'method-not-allowed', detail: `This path takes ${list}.` });
  };
}

/** A known path asked in a way it does not have is 405 with what it has, not 404. Called when every route is there. */
export function refuseOtherMethods(api: OpenAPIHono<HttpEnv>): void {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of api.routes) {
    if (method === 'ALL') continue;
    methods.set(path, (methods.get(path) ?? new Set()).add(method));
  }
  for (const [path, allowed] of methods) {
    // The framework answers HEAD wherever there is GET.
    api.all(path, refuse(allowed.has('GET') ? [...allowed, 'HEAD'] : [...allowed]));
  }
}

/** The same for a path that another one with an id in its place would take for an id; called between the two. */
export function onlyPost(api: OpenAPIHono<HttpEnv>, path: string): void {
  api.all(path, refuse(['POST']));
}
