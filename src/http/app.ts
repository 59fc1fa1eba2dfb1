import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { createKeyring } from '../application/api-keys.js';
import { rememberingKeyring } from '../application/remembering-keyring.js';
import { requirePrincipal } from './access.js';
import { isManifest } from './batch-submission.js';
import type { HttpDeps, HttpEnv } from './environment.js';
import { createEventStreams } from './event-stream.js';
import { logRequests, logUnforeseen } from './log.js';
import { type Operation, operationsOf } from './operations.js';
import { refuseOtherMethods } from './other-methods.js';
import { HttpProblem, problemOf, sendProblem } from './problem.js';
import { limitRate } from './rate-limit.js';
import { checkForm } from './request-form.js';
import { auditRoutes } from './routes/audits.js';
import { batchRoutes } from './routes/batches.js';
import { allowUi, codecRoutes, passwordAsKey } from './routes/codec.js';
import { deadLetterRoutes } from './routes/dead-letters.js';
import { docsRoutes } from './routes/docs.js';
import { documentRoutes } from './routes/documents.js';
import { extractionPartRoutes } from './routes/extraction-parts.js';
import { extractionRoutes } from './routes/extractions.js';
import { healthRoutes } from './routes/health.js';
import { metricsRoute } from './routes/metrics.js';
import { recordRoutes } from './routes/records.js';
import { redriveRoutes } from './routes/redrives.js';
import { repairRoutes } from './routes/repairs.js';
import { reportRoutes } from './routes/reports.js';
import { reviewDecisionRoutes } from './routes/review-decisions.js';
import { reviewRoutes } from './routes/reviews.js';
import { specRoutes } from './routes/specs.js';
import { tenantRoutes } from './routes/tenants.js';
import { trailRoutes } from './routes/trail.js';
import { webhookRoutes } from './routes/webhooks.js';
import { schemaProblem } from './schema-problem.js';
import { noteChanges } from './trail.js';
import { watchRequests } from './watch.js';

/** Holds the largest document in base64 (20 MiB become 26.7) with the rest of a submission. */
const submissionBytes = 32 * 1024 * 1024;
/** Holds the largest record that a person could send back. */
const otherBytes = 4 * 1024 * 1024;

/** Metrics stand outside of the API's description. */
const reading: Operation = {
  ...{ id: 'readMetrics', path: '/metrics', role: 'metrics', query: new Map() },
  ...{ isBodyOptional: true, bodyTypes: [], takesKey: false },
};

/** Headers of every answer: nothing of it is kept, framed, run or told to other sites. */
const guards = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** The API. Every error, also the framework's own, is answered with a problem document (RFC 9457). */
export function createApp(deps: HttpDeps, streams = createEventStreams()): OpenAPIHono<HttpEnv> {
  const api = new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw new HttpProblem(schemaProblem(result.target, result.error.issues));
    },
  });
  api.use(logRequests(deps.logger));
  if (deps.watch !== undefined) api.use(watchRequests(deps.watch));
  api.use(async (c, next) => {
    await next();
    // What a page or a document says about itself stands.
    for (const [name, value] of Object.entries(guards)) if (!c.res.headers.has(name)) c.header(name, value);
  });
  const keyring = createKeyring(deps.app, deps.apiKey);
  const operationOf = operationsOf(api);
  const guard = requirePrincipal(deps, keyring, operationOf);
  const limit = limitRate(deps.perMinute ?? 6_000);
  api.use('/v1/*', guard, limit);
  api.use('/codec/*', allowUi(deps.uiUrl ?? null), passwordAsKey, guard, limit);
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
  api.use(checkForm(operationOf));
  api.use('/v1/*', noteChanges(operationOf));

  healthRoutes(api, deps);
  if (deps.watch !== undefined) {
    api.use(
      '/metrics',
      requirePrincipal(deps, rememberingKeyring(keyring, deps.app.now), () => reading),
    );
    metricsRoute(api, deps.watch);
  }
  extractionRoutes(api, deps);
  extractionPartRoutes(api, streams);
  auditRoutes(api);
  documentRoutes(api, deps);
  batchRoutes(api, deps, streams);
  deadLetterRoutes(api, deps);
  redriveRoutes(api);
  reviewRoutes(api);
  reviewDecisionRoutes(api);
  recordRoutes(api, deps);
  repairRoutes(api);
  reportRoutes(api);
  specRoutes(api);
  tenantRoutes(api);
  trailRoutes(api);
  webhookRoutes(api);
  codecRoutes(api, deps);
  describeKeys(api);
  docsRoutes(api, deps.version);
  if (deps.pages !== undefined) {
    api.route('/console', deps.pages);
    api.get('/', (c) => c.redirect('/console', 302));
  }
  refuseOtherMethods(api);

  const noPath = new HttpProblem({
    slug: 'not-found',
    detail: 'There is nothing at this path; /openapi.json lists those that there are.',
  });
  api.notFound((c) => sendProblem(c, problemOf(noPath)));
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
        detail: `A body may have at most ${maxSize / 1024 / 1024} MiB here.`,
      });
    },
  });
  const wrapped: typeof limit = (c, next) => (applies(c.req.path) ? limit(c, next) : next());
  return wrapped;
}

function describeKeys(api: OpenAPIHono<HttpEnv>): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key of `endstop keys create`, or what ENDSTOP_API_KEY holds. Each operation names the role that the key needs. ' +
      'A key of one tenant sees that tenant only; what belongs to another does not exist for it. ' +
      'On this machine nothing is asked for while there is no key.',
  });
}
