import type { ProblemDetails } from './types.js';

/** The API refused the request. `problem` says why, for programs by its `type`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly problem: ProblemDetails;

  constructor(problem: ProblemDetails) {
    super(problem.detail);
    this.status = problem.status;
    this.problem = problem;
  }
}

/** What a success says. Throws ApiError when it is none of an Endstop API: pages of other servers come with 200 too. */
export async function readBody<Body>(response: Response, base: string): Promise<Body> {
  const body = await jsonOf(response);
  // Every answer that is asked for names what it is about, or lists it.
  if (typeof body === 'object' && body !== null && ('id' in body || 'items' in body || 'kind' in body))
    return body as Body;
  throw foreign(response, base);
}

/** Reads an answer that is no success. One that is no problem document (another server, a proxy's page) is described by its status. */
export async function readError(response: Response, base: string): Promise<ApiError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const body: unknown = isProblem ? await jsonOf(response) : null;
  return isProblemDetails(body) ? new ApiError(body) : foreign(response, base);
}

/** Null for what is no JSON. Throws what the connection met when it is cut on the way. */
async function jsonOf(response: Response): Promise<unknown> {
  return await response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });
}

function foreign(response: Response, base: string): ApiError {
  const { origin, pathname } = new URL(base);
  const place = `${origin}${pathname === '/' ? '' : pathname}`;
  return new ApiError({
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: `${place} does not answer as an Endstop API (${response.status}): check the base URL, and proxies before it.`,
    requestId: response.headers.get('x-request-id') ?? '',
    errors: [],
  });
}

function isProblemDetails(body: unknown): body is ProblemDetails {
  return typeof body === 'object' && body !== null && 'type' in body && 'detail' in body && 'status' in body;
}
