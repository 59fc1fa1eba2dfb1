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

/** Reads an answer that is no success. One that is no problem document (a proxy's page) is described by its status. */
export async function readError(response: Response): Promise<ApiError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const body: unknown = isProblem ? await response.json().catch(() => null) : null;
  if (isProblemDetails(body)) return new ApiError(body);
  return new ApiError({
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: `The server answered ${response.status} without saying why.`,
    requestId: response.headers.get('x-request-id') ?? '',
    errors: [],
  });
}

function isProblemDetails(body: unknown): body is ProblemDetails {
  return typeof body === 'object' && body !== null && 'type' in body && 'detail' in body && 'status' in body;
}
