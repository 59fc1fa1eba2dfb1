import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  ApplicationError,
  type ApplicationErrorCode,
  type RequestFault,
} from '../application/application-error.js';
import { EngineUnavailable, ReviewClosed } from '../ports/engine.js';
import { BadCursor } from '../ports/page.js';
import { StoreUnavailable } from '../ports/store.js';
import type { HttpEnv } from './environment.js';
import { type ProblemSlug, problemTypeOf, problemTypes } from './problem-types.js';
import { listOf } from './schemas/common.js';

/** RFC 9457, with one entry in `errors` for each thing that is wrong with the request. */
export const ProblemDetails = z
  .object({
    type: z.string().openapi({
      description:
        'Stable; what programs tell problems apart by. A reference to a page of this server about it.',
    }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    requestId: z.string(),
    errors: listOf(z.object({ pointer: z.string(), detail: z.string() })),
  })
  .openapi('ProblemDetails', {
    example: {
      type: '/problems/not-found',
      title: 'Not found',
      status: 404,
      detail: 'No single extraction has an id that begins with "3f9a1c20".',
      requestId: '6b1c7c0e-5d3f-4c0c-9f39-0b9f8f6f3a11',
      errors: [],
    },
  });

/** What a request failed on, before it is written down. */
export interface Problem {
  /** Last part of the type. */
  readonly slug: string;
  readonly title: string;
  readonly status: ContentfulStatusCode;
  readonly detail: string;
  readonly errors?: readonly RequestFault[];
  /** Seconds until asking again is worth it. */
  readonly retryAfter?: number;
}

/** What a request is refused with: one of the kinds that have a page, or a page's own kind with its words. */
export type Refusal = Omit<Problem, 'slug' | 'title' | 'status'> &
  (
    | { readonly slug: ProblemSlug; readonly title?: never; readonly status?: never }
    | Pick<Problem, 'slug' | 'title' | 'status'>
  );

const byCode: Record<ApplicationErrorCode, ProblemSlug> = {
  invalid_request: 'invalid-request',
  media_type_mismatch: 'media-type-mismatch',
  document_too_large: 'document-too-large',
  budget_exceeds_spec: 'budget-exceeds-spec',
  unknown_spec: 'unknown-spec',
  unmet_rules: 'unmet-rules',
  too_many: 'too-many',
  not_found: 'not-found',
  gone: 'gone',
  batch_changed: 'batch-changed',
  label_changed: 'label-changed',
  not_redrivable: 'not-redrivable',
  review_not_open: 'review-not-open',
  review_held: 'review-held',
  review_changed: 'review-changed',
  lease_lost: 'lease-lost',
  request_in_flight: 'idempotency-conflict',
  request_differs: 'idempotency-mismatch',
  busy: 'unavailable',
  unavailable: 'unavailable',
};

/** What passes within a moment. */
const soon: ReadonlySet<ApplicationErrorCode> = new Set(['request_in_flight', 'busy']);

/** A problem thrown as an error, for the parts of a request that no use case sees. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly problem: Problem;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.problem = whole(refusal);
  }
}

/** Every error as a problem; one that nobody foresaw says nothing about itself. */
export function problemOf(error: unknown): Problem {
  return error instanceof HttpProblem ? error.problem : whole(refusalOf(error));
}

function whole(refusal: Refusal): Problem {
  if (refusal.title !== undefined) return refusal;
  const { title, status } = problemTypes[refusal.slug];
  return { ...refusal, title, status };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof ApplicationError) {
    const isSoon = soon.has(error.code) ? 1_000 : null;
    const retryAfterMs = error.retryAfterMs ?? isSoon;
    const retryAfter = retryAfterMs === null ? {} : { retryAfter: Math.ceil(retryAfterMs / 1_000) };
    return { slug: byCode[error.code], detail: error.message, errors: error.faults, ...retryAfter };
  }
  if (error instanceof StoreUnavailable || error instanceof EngineUnavailable) {
    return { slug: 'unavailable', detail: error.message };
  }
  if (error instanceof ReviewClosed) return { slug: 'review-not-open', detail: error.message };
  if (error instanceof BadCursor) return { slug: 'bad-cursor', detail: error.message };
  if (error instanceof HTTPException) return ofException(error.status);
  if (isBrokenOff(error))
    return { slug: 'malformed-body', detail: 'The body ended before all of it had come.' };
  return {
    slug: 'internal-error',
    detail: 'Something unexpected went wrong; the log has it under this request id.',
  };
}

/** The client went away while its body was on its way: its fault, and nobody is there to be told. */
function isBrokenOff(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' && message === 'aborted';
}

/** Seconds after which what is not available may be again. */
const patience = 5;

/** Writes a problem as the answer. */
export function sendProblem(c: Context<HttpEnv>, problem: Problem): Response {
  const { status } = problem;
  const retryAfter = problem.retryAfter ?? (status === 503 ? patience : undefined);
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  return c.body(JSON.stringify(problemBody(problem, c.get('requestId'))), status, {
    'Content-Type': 'application/problem+json',
  });
}

/** A problem as it is written down. */
export function problemBody({ slug, title, status, detail, errors = [] }: Problem, requestId: string) {
  return { type: problemTypeOf(slug), title, status, detail, requestId, errors };
}

/** What the framework refuses by itself. Its own texts may quote the request. */
function ofException(status: number): Refusal {
  if (status === 415) {
    const detail = 'Send application/json, or multipart/form-data where the API description says so.';
    return { slug: 'unsupported-media-type', detail };
  }
  // Forms are read by us, so only the framework's JSON parser is left to throw.
  return { slug: 'malformed-body', detail: 'The body is not valid JSON.' };
}
