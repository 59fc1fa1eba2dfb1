import { ApiError, readBody, readError } from './api-error.js';

/** What the client needs of the world; tests give their own. */
export interface World {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const realWorld: World = {
  fetch: (url, init) => fetch(url, init),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
};

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each try, since a body can be read once. */
  body?(): string | FormData | ReadableStream<Uint8Array>;
  /** The body cannot be made anew: it is sent once, however that ends. */
  readonly isOnce?: boolean;
  /** How long the server was asked to hold the answer. */
  readonly waitSeconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The server could not be reached, or its answer broke off; `cause` is what `fetch` met. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(base: string, cause: unknown, hasBegun = false) {
    const { origin } = new URL(base);
    super(
      hasBegun
        ? `The answer from ${origin} broke off on its way.`
        : `No answer from ${origin}: is an Endstop API running there?`,
      { cause },
    );
  }
}

/** A try that brought nothing. */
interface Failed {
  readonly error: Error;
  /** Another one may. */
  readonly passes: boolean;
  /** When the server says that it is worth asking again. */
  readonly pauseMs: number | null;
}

/** Tries of one request, the first included. Repeating is safe: the same document is the same extraction. */
const tries = 6;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** Statuses of what is busy or away for a moment. */
const passing = [429, 502, 503, 504];
/** What a request may take beyond the time it asked the server to hold it. */
const marginMs = 30_000;

/** Throws ApiError, or what the last try failed with. */
export type Send = <Body>(request: Request) => Promise<Body>;

/** Sends requests, again after faults that pass: no connection, one that is cut inside of an answer, 429, 502, 503, 504. */
export function createTransport(baseUrl: string, apiKey: string | undefined, world: World): Send {
  const base = readBase(baseUrl);
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

  let hasAnswered = false;

  const once = async <Body>(request: Request): Promise<{ readonly body: Body } | Failed> => {
    const body = request.body?.();
    // Not AbortSignal.timeout: Node 20 forgets one that only AbortSignal.any listens to, and would wait for ever.
    const overdue = new AbortController();
    const limitMs = (request.waitSeconds ?? 0) * 1_000 + marginMs;
    // A stream takes as long as whoever fills it.
    const timer = request.isOnce ? undefined : setTimeout(() => overdue.abort(timedOut()), limitMs);
    const given = request.signal === undefined ? [] : [request.signal];
    let hasBegun = false;
    try {
      const answer = await world.fetch(`${base}${request.path}`, {
        method: request.method,
        headers: {
          accept: 'application/json',
          ...authorization,
          ...(request.waitSeconds === undefined ? {} : { prefer: `wait=${request.waitSeconds}` }),
          ...request.headers,
        },
        redirect: 'manual',
        signal: AbortSignal.any([...given, overdue.signal]),
        ...(body === undefined ? {} : { body }),
        ...(request.isOnce ? { duplex: 'half' } : {}),
      });
      hasBegun = true;
      hasAnswered = true;
      if (answer.ok) return { body: await readBody<Body>(answer, base) };
      const passes = passing.includes(answer.status) || isInFlight(answer);
      const pauseMs = retryAfterMs(answer.headers.get('retry-after'));
      const error = await readError(answer, base, request.path);
      request.signal?.throwIfAborted();
      return { error, passes, pauseMs };
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      if (error instanceof ApiError) throw error;
      const passes = hasAnswered || !isNobodyThere(error);
      return { error: new UnreachableError(base, error, hasBegun), passes, pauseMs: null };
    } finally {
      clearTimeout(timer);
    }
  };

  return async <Body>(request: Request): Promise<Body> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once<Body>(request);
      if ('body' in answer) return answer.body;
      if (!answer.passes || request.isOnce || attempt === tries) throw answer.error;
      await world.sleep(answer.pauseMs ?? firstPauseMs * 2 ** (attempt - 1), request.signal);
    }
  };
}

function timedOut(): DOMException {
  return new DOMException('The operation timed out.', 'TimeoutError');
}

/** No server listens, or no such host is known. One that answered before is being started again, and waited for. */
function isNobodyThere(fault: unknown): boolean {
  const { code, cause } = Object(fault) as { readonly code?: unknown; readonly cause?: unknown };
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || (cause !== undefined && isNobodyThere(cause));
}

/** The same request is under way already: its answer comes within a moment. Other conflicts do not pass. */
function isInFlight(answer: Response): boolean {
  return answer.status === 409 && answer.headers.has('retry-after');
}

/** Without a slash at the end. */
function readBase(baseUrl: string): string {
  if (/^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl)) return baseUrl.replace(/\/+$/, '');
  throw new TypeError('baseUrl must be a URL such as http://localhost:4680.');
}

/** Seconds only; a date would trust two clocks to agree. */
function retryAfterMs(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header) * 1_000, longestPauseMs)
    : null;
}
