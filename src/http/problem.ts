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
import { listOf } from './schemas/common.js';

/** RFC 9457, with one entry in `errors` for each thing that is wrong with the request. */
export const ProblemDetails = z
  .object({
    type: z.string().openapi({ description: 'Stable; what programs tell problems apart by.' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    requestId: z.string(),
    errors: listOf(z.object({ pointer: z.string(), detail: z.string() })),
  })
  .openapi('ProblemDetails', {
    example: {
      type: 'urn:endstop:problem:not-found',
      title: 'Not found',
      status: 404,
      detail: 'No single extraction has an id that begins with "3f9a1c20".',
      requestId: '6b1c7c0e-5d3f-4c0c-9f39-0b9f8f6f3a11',
      errors: [],
    },
  });

/** What a request failed on, before it is written down. */
export interface Problem {
  /** Last part of the type; the part before it is the same for all. */
  readonly slug: string;
  readonly title: string;
  readonly status: ContentfulStatusCode;
  readonly detail: string;
  readonly errors?: readonly RequestFault[];
}

const byCode: Record<ApplicationErrorCode, readonly [status: ContentfulStatusCode, title: string]> = {
  invalid_request: [422, 'The request cannot be used'],
  media_type_mismatch: [415, 'The document is not what it is said to be'],
  budget_exceeds_spec: [422, 'A budget is looser than the spec allows'],
  unknown_spec: [422, 'Unknown spec'],
  unmet_rules: [422, 'Rules do not hold'],
  not_found: [404, 'Not found'],
  gone: [410, 'No longer kept'],
  label_changed: [409, 'A version label changed its meaning'],
  not_redrivable: [409, 'Nothing to run again'],
  review_not_open: [409, 'The review is not open'],
  review_held: [409, 'Someone else holds the review'],
  review_changed: [412, 'The review changed meanwhile'],
  lease_lost: [409, 'The review is not yours any more'],
  unavailable: [503, 'Not available'],
};

/** A problem thrown as an error, for the parts of a request that no use case sees. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Every error as a problem; one that nobody foresaw says nothing about itself. */
export function problemOf(error: unknown): Problem {
  if (error instanceof HttpProblem) return error.problem;
  if (error instanceof ApplicationError) {
    const [status, title] = byCode[error.code];
    const slug = error.code.replaceAll('_', '-');
    return { slug, title, status, detail: error.message, errors: error.faults };
  }
  if (error instanceof StoreUnavailable || error instanceof EngineUnavailable) {
    return { slug: 'unavailable', title: 'Not available', status: 503, detail: error.message };
  }
  if (error instanceof ReviewClosed) {
    return { slug: 'review-not-open', title: 'The review is not open', status: 409, detail: error.message };
  }
  if (error instanceof BadCursor) {
    return { slug: 'bad-cursor', title: 'The cursor cannot be used', status: 400, detail: error.message };
  }
  if (error instanceof HTTPException) return ofException(error.status);
  return {
    slug: 'internal-error',
    title: 'Internal error',
    status: 500,
    detail: 'Something unexpected went wrong; the log has it under this request id.',
  };
}

/** Writes a problem as the answer. */
export function sendProblem(c: Context<HttpEnv>, problem: Problem): Response {
  const { slug, title, status, detail, errors = [] } = problem;
  if (status === 503) c.header('Retry-After', '5');
  const body = {
    type: `urn:endstop:problem:${slug}`,
    title,
    status,
    detail,
    requestId: c.get('requestId'),
    errors,
  };
  return c.body(JSON.stringify(body), status, { 'Content-Type': 'application/problem+json' });
}

/** What the framework refuses by itself. Its own texts may quote the request. */
function ofException(status: number): Problem {
  if (status === 415) {
    const detail = 'Send application/json, or multipart/form-data where the API description says so.';
    return { slug: 'unsupported-media-type', title: 'Unsupported media type', status: 415, detail };
  }
  return {
    slug: 'malformed-body',
    title: 'The body cannot be read',
    status: 400,
    detail: 'The body is not what its content type says.',
  };
}

/** Faults that a schema found, as one problem: 422 for a body, 400 for a path or a query. */
export function schemaProblem(target: string, issues: readonly z.core.$ZodIssue[]): Problem {
  const errors = issues.flatMap(faultsOf);
  const isBody = target === 'json' || target === 'form';
  return {
    slug: isBody ? 'invalid-request' : 'invalid-parameter',
    title: isBody ? 'The request cannot be used' : 'A parameter cannot be used',
    status: isBody ? 422 : 400,
    detail: errors
      .map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`))
      .join(' '),
    errors,
  };
}

/** Names of fields that a caller made up are repeated, but not without end. */
const mostFaults = 20;
const longestName = 64;

/** One step of an RFC 6901 pointer. */
function pointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Of a union, what the branch that came furthest says. zod's texts name types and allowed words, never the value. */
function faultsOf(issue: z.core.$ZodIssue): readonly RequestFault[] {
  const at = issue.path.map((key) => pointerStep(String(key))).join('');
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const branch = [...issue.errors].sort(
      (left, right) => depth(right) - depth(left) || left.length - right.length,
    )[0];
    const inner = (branch ?? []).flatMap(faultsOf);
    if (inner.length > 0) return inner.map(({ pointer, detail }) => ({ pointer: at + pointer, detail }));
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, mostFaults).map((key) => ({
      pointer: `${at}${pointerStep(key)}`,
      detail: `There is no field ${JSON.stringify(key.slice(0, longestName))} here.`,
    }));
  }
  return [{ pointer: at, detail: `${issue.message.replace(/\.$/, '')}.` }];
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length));
}
