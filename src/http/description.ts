import type { OpenAPIHono } from '@hono/zod-openapi';
import type { HttpEnv } from './environment.js';
import { examples } from './examples.js';
import { type ProblemSlug, problemTypes } from './problem-types.js';

type Document = ReturnType<OpenAPIHono<HttpEnv>['getOpenAPI31Document']>;
type Mutable = Record<
  string,
  {
    operationId?: string;
    parameters?: unknown[];
    requestBody?: { required?: boolean; content?: Content };
    security?: unknown[];
    responses: Record<string, { description: string; content?: Content }>;
  }
>;
/** By media type. */
type Content = Record<string, { schema?: unknown; examples?: unknown }>;

/** Problems that any operation may answer with, those of operations that ask for a key, name an id, or take a body. */
const always: readonly ProblemSlug[] = ['invalid-parameter', 'internal-error', 'unavailable'];
const keyed: readonly ProblemSlug[] = ['unauthorized', 'forbidden', 'rate-limited'];
const ofPath: readonly ProblemSlug[] = ['not-found', 'gone'];
const ofBody: readonly ProblemSlug[] = ['too-large', 'unsupported-media-type', 'invalid-request'];
const ofChange: readonly ProblemSlug[] = ['idempotency-conflict', 'review-changed'];

/** The API in OpenAPI 3.1, every operation with each status that it can answer. */
export function describe(api: OpenAPIHono<HttpEnv>, version: string): Document {
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Endstop',
      version,
      description:
        'Durable document extraction whose repair loops always end. Exhaustion is a result, not an error.',
    },
    servers: [{ url: '/' }],
  });
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods as Mutable)) complete(path, method, operation);
  }
  return document;
}

function complete(path: string, method: string, operation: Mutable[string]): void {
  if (operation.requestBody !== undefined && path !== '/v1/batches/{id}/cancel')
    operation.requestBody.required = true;
  const slugs = [
    ...(path.startsWith('/v1/') || path.startsWith('/codec/') ? [...always, ...keyed] : []),
    ...(path.includes('{') ? ofPath : []),
    ...(operation.requestBody === undefined ? [] : ofBody),
    ...(['get', 'head'].includes(method) ? [] : ofChange),
  ];
  for (const slug of slugs) {
    const { status, title } = problemTypes[slug];
    const content = {
      'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
    };
    operation.responses[status] ??= { description: `${title}.`, ...(method === 'head' ? {} : { content }) };
  }
  const { request, answers = {} } = examples[operation.operationId ?? ''] ?? {};
  show(operation.requestBody?.content, request);
  for (const [status, shown] of Object.entries(answers)) show(operation.responses[status]?.content, shown);
}

function show(content: Content | undefined, shown: object | undefined): void {
  const media = content?.['application/json'];
  if (media !== undefined && shown !== undefined) media.examples = shown;
}
