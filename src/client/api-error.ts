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

/**
 * What a success says. Throws ApiError when it is none of an Endstop API: pages of other servers come with 200 too.
 * Throws what the connection met, or SyntaxError, when it is cut on the way: a proxy may end it as if it were whole.
 */
export async function readBody<Body>(response: Response, base: string): Promise<Body> {
  const body = await response.json().catch((error: unknown) => {
    if (error instanceof SyntaxError && !isOfType(response, 'application/json')) return null;
    throw error;
  });
  // Every answer that is asked for names what it is about, or lists it.
  if (typeof body === 'object' && body !== null && ('id' in body || 'items' in body || 'kind' in body))
    return body as Body;
  throw foreign(response, base);
}

/**
 * Reads the answer to a request for `path` that is no success. One that is no problem document (another server, a
 * proxy's page) is described by its status, and so is one whose words were cut on the way: the status had arrived.
 */
export async function readError(response: Response, base: string, path: string): Promise<ApiError> {
  if (isOfType(response, 'application/problem+json')) {
    const body: unknown = await response.json().catch(() => undefined);
    if (isProblemDetails(body)) return new ApiError(body);
    if (body === undefined)
      return described(
        response,
        `${placeOf(base)} refused this (${response.status}), and why was cut off on its way.`,
      );
  }
  // Nobody reads it, and its connection would be held.
  response.body?.cancel().catch(() => undefined);
  return isRedirect(response) ? redirected(response, base, path) : foreign(response, base);
}

function isOfType(response: Response, mediaType: string): boolean {
  return response.headers.get('content-type')?.startsWith(mediaType) === true;
}

/** Browsers tell nothing more of one than that it is one. */
function isRedirect({ status, type }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status) || type === 'opaqueredirect';
}

/** Says what to do about a redirect, which is not followed: a POST would arrive as a GET, and a key at another server. */
function redirected(response: Response, base: string, path: string): ApiError {
  const place = placeOf(base);
  const asked = `${base}${path}`;
  const location = response.headers.get('location');
  const target = location !== null && URL.canParse(location, asked) ? new URL(location, asked) : null;
  // Its query may hold what nobody else should read.
  const address = target === null ? 'another address' : `${target.origin}${target.pathname}`;
  const known = path.replace(/\?.*/, '');
  const other = address.endsWith(known) ? address.slice(0, -known.length) : place;
  return described(
    response,
    other === place
      ? `${place} sends this on to ${address} (${response.status}): set baseUrl to where the API itself answers.`
      : `${place} answers from another address (${response.status}): set baseUrl to ${other}.`,
  );
}

function foreign(response: Response, base: string): ApiError {
  return described(
    response,
    `${placeOf(base)} does not answer as an Endstop API (${response.status}): check the base URL, and proxies before it.`,
  );
}

function placeOf(base: string): string {
  const { origin, pathname } = new URL(base);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}

/** For an answer that brought no problem document. */
function described(response: Response, detail: string): ApiError {
  return new ApiError({
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail,
    requestId: response.headers.get('x-request-id') ?? '',
    errors: [],
  });
}

function isProblemDetails(body: unknown): body is ProblemDetails {
  return typeof body === 'object' && body !== null && 'type' in body && 'detail' in body && 'status' in body;
}
