import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { requireKey, requireLoopback } from './access.js';
import type { HttpDeps, HttpEnv } from './environment.js';
import { logRequests, logUnforeseen } from './log.js';
import { HttpProblem, problemOf, schemaProblem, sendProblem } from './problem.js';
import { deadLetterRoutes } from './routes/dead-letters.js';
import { documentRoutes } from './routes/documents.js';
import { extractionRoutes } from './routes/extractions.js';
import { healthRoutes } from './routes/health.js';
import { recordRoutes } from './routes/records.js';
import { redriveRoutes } from './routes/redrives.js';
import { reviewDecisionRoutes } from './routes/review-decisions.js';
import { reviewRoutes } from './routes/reviews.js';
import { webhookRoutes } from './routes/webhooks.js';

/** Holds the largest document in base64 (20 MiB become 26.7) with the rest of a submission. */
const submissionBytes = 32 * 1024 * 1024;
/** Holds the largest record that a person could send back. */
const otherBytes = 4 * 1024 * 1024;

/** The API. Every error, also the framework's own, is answered with a problem document (RFC 9457). */
export function createApp(deps: HttpDeps): OpenAPIHono<HttpEnv> {
  const api = new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw new HttpProblem(schemaProblem(result.target, result.error.issues));
    },
  });
  api.use(logRequests(deps.logger));
  api.use(async (c, next) => {
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Cache-Control', 'no-store');
  });
  api.use('/v1/*', deps.apiKey === null ? requireLoopback : requireKey(deps.apiKey));
  api.use(
    '/v1/*',
    limitBody(otherBytes, (path) => path !== '/v1/extractions'),
  );
  api.use(
    '/v1/extractions',
    limitBody(submissionBytes, () => true),
  );

  healthRoutes(api, deps);
  extractionRoutes(api, deps);
  documentRoutes(api, deps);
  deadLetterRoutes(api, deps);
  redriveRoutes(api, deps);
  reviewRoutes(api, deps);
  reviewDecisionRoutes(api, deps);
  recordRoutes(api, deps);
  webhookRoutes(api, deps);
  describeApi(api, deps);
  refuseOtherMethods(api);

  api.notFound((c) =>
    sendProblem(c, {
      slug: 'not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path.',
    }),
  );
  api.onError((error, c) => {
    const problem = problemOf(error);
    if (problem.status === 500) logUnforeseen(deps.logger, c.get('requestId'), error);
    return sendProblem(c, problem);
  });
  return api;
}

function limitBody(maxSize: number, applies: (path: string) => boolean) {
  const limit = bodyLimit({
    maxSize,
    onError: () => {
      throw new HttpProblem({
        slug: 'too-large',
        title: 'The body is too large',
        status: 413,
        detail: `A body may have at most ${maxSize / 1024 / 1024} MiB here.`,
      });
    },
  });
  const wrapped: typeof limit = (c, next) => (applies(c.req.path) ? limit(c, next) : next());
  return wrapped;
}

function describeApi(api: OpenAPIHono<HttpEnv>, { apiKey, version }: HttpDeps): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  const describe = () =>
    api.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Endstop',
        version,
        description:
          'Durable document extraction whose repair loops always end. Exhaustion is a result, not an error.',
      },
      ...(apiKey === null ? {} : { security: [{ key: [] }] }),
    });
  let description: ReturnType<typeof describe> | null = null;
  api.get('/openapi.json', (c) => {
    // It takes a tenth of a second to make and never changes.
    description ??= describe();
    return c.json(description);
  });
}

/** A known path asked in a way it does not have is 405 with what it has, not 404. */
function refuseOtherMethods(api: OpenAPIHono<HttpEnv>): void {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of api.routes) {
    if (method === 'ALL') continue;
    methods.set(path, (methods.get(path) ?? new Set()).add(method));
  }
  for (const [path, allowed] of methods) {
    api.all(path, (c) => {
      const list = [...allowed].sort().join(', ');
      c.header('Allow', list);
      return sendProblem(c, {
        slug: 'method-not-allowed',
        title: 'Method not allowed',
        status: 405,
        detail: `This path takes ${list}.`,
      });
    });
  }
}
