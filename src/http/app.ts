import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { createKeyring } from '../application/api-keys.js';
import type { Role } from '../domain/principal.js';
import { requirePrincipal } from './access.js';
import { isManifest } from './batch-submission.js';
import type { HttpDeps, HttpEnv } from './environment.js';
import { createEventStreams } from './event-stream.js';
import { logRequests, logUnforeseen } from './log.js';
import { HttpProblem, problemOf, schemaProblem, sendProblem } from './problem.js';
import { batchRoutes } from './routes/batches.js';
import { allowUi, codecRoutes, passwordAsKey } from './routes/codec.js';
import { deadLetterRoutes } from './routes/dead-letters.js';
import { documentRoutes } from './routes/documents.js';
import { extractionRoutes } from './routes/extractions.js';
import { healthRoutes } from './routes/health.js';
import { metricsRoute } from './routes/metrics.js';
import { recordRoutes } from './routes/records.js';
import { redriveRoutes } from './routes/redrives.js';
import { repairRoutes } from './routes/repairs.js';
import { reportRoutes } from './routes/reports.js';
import { reviewDecisionRoutes } from './routes/review-decisions.js';
import { reviewRoutes } from './routes/reviews.js';
import { webhookRoutes } from './routes/webhooks.js';
import { watchRequests } from './watch.js';

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
  if (deps.watch !== undefined) api.use(watchRequests(deps.watch));
  api.use(async (c, next) => {
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  });
  const keyring = createKeyring(deps.app, deps.apiKey);
  const guard = requirePrincipal(deps, keyring, declaredRoles(api));
  api.use('/v1/*', guard);
  api.use('/codec/*', allowUi(deps.uiUrl ?? null), passwordAsKey, guard);
  api.use(
    '/v1/*',
    limitBody(otherBytes, (path) => path !== '/v1/extractions' && path !== '/v1/batches'),
  );
  api.use(
    '/codec/*',
    limitBody(submissionBytes, () => true),
  );
  api.use(
    '/v1/extractions',
    limitBody(submissionBytes, () => true),
  );

  const limitSubmission = limitBody(submissionBytes, () => true);
  // A manifest is read line by line, so that its length does not matter.
  api.use('/v1/batches', (c, next) =>
    isManifest(c.req.header('content-type')) ? next() : limitSubmission(c, next),
  );

  healthRoutes(api, deps);
  if (deps.watch !== undefined) {
    api.use(
      '/metrics',
      requirePrincipal(deps, keyring, () => 'read'),
    );
    metricsRoute(api, deps.watch);
  }
  extractionRoutes(api, deps);
  documentRoutes(api, deps);
  batchRoutes(api, deps, createEventStreams());
  deadLetterRoutes(api, deps);
  redriveRoutes(api);
  reviewRoutes(api);
  reviewDecisionRoutes(api);
  recordRoutes(api, deps);
  repairRoutes(api);
  reportRoutes(api);
  webhookRoutes(api);
  codecRoutes(api, deps);
  describeApi(api, deps);
  if (deps.pages !== undefined) {
    api.route('/console', deps.pages);
    api.get('/', (c) => c.redirect('/console', 302));
  }
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

/** Roles as the operations declare them; read at the first request, when every route is there. */
function declaredRoles(api: OpenAPIHono<HttpEnv>): (method: string, path: string) => Role | undefined {
  let roles: ReadonlyMap<string, Role | undefined> | undefined;
  return (method, path) => {
    roles ??= new Map(
      api.openAPIRegistry.definitions.flatMap((definition) => {
        if (definition.type !== 'route') return [];
        const { route } = definition;
        const role = route['security']?.[0]?.['key']?.[0] as Role | undefined;
        return [[`${route.method.toUpperCase()} ${route.path.replace(/\{(\w+)\}/g, ':$1')}`, role] as const];
      }),
    );
    return roles.get(`${method} ${path}`);
  };
}

function describeApi(api: OpenAPIHono<HttpEnv>, { version }: HttpDeps): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key of `endstop keys create`, or what ENDSTOP_API_KEY holds. Each operation names the role that the key needs. ' +
      'A key of one tenant sees that tenant only; what belongs to another does not exist for it. ' +
      'On this machine nothing is asked for while there is no key.',
  });
  const describe = () =>
    api.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Endstop',
        version,
        description:
          'Durable document extraction whose repair loops always end. Exhaustion is a result, not an error.',
      },
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
