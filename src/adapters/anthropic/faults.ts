import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import { CallFault } from '../../ports/extractor.js';
import { retryAfterMs } from './retry-after.js';

type Kind = CallFault['kind'];
type Classed = { readonly kind: Kind; readonly faultClass: string };

const transient = (faultClass: string): Classed => ({ kind: 'transient', faultClass });
const permanent = (faultClass: string): Classed => ({ kind: 'permanent', faultClass });

/** By HTTP status; 5xx and other 4xx follow below. */
const byStatus: ReadonlyMap<number, Classed> = new Map([
  [401, permanent('unauthenticated')],
  [402, permanent('payment_required')],
  [403, permanent('forbidden')],
  [404, permanent('not_found')],
  [408, transient('request_timeout')],
  [409, transient('conflict')],
  [413, permanent('too_large')],
  [429, transient('rate_limited')],
  [529, transient('overloaded')],
]);

/** By the error type in the body, for an error that comes without a status of its own: inside a 200, or in a stream. */
const byType: ReadonlyMap<string, Classed> = new Map([
  ['authentication_error', permanent('unauthenticated')],
  ['billing_error', permanent('payment_required')],
  ['permission_error', permanent('forbidden')],
  ['not_found_error', permanent('not_found')],
  ['invalid_request_error', permanent('rejected')],
  ['request_too_large', permanent('too_large')],
  ['rate_limit_error', transient('rate_limited')],
  ['overloaded_error', transient('overloaded')],
  ['timeout_error', transient('request_timeout')],
  ['conflict_error', transient('conflict')],
  ['api_error', transient('server_error')],
]);

/** What to do about it, one clause per permanent class. The provider's own text is never passed on: it may quote. */
const advice: Readonly<Record<string, string>> = {
  unauthenticated: 'check ANTHROPIC_API_KEY',
  payment_required: "check the account's billing",
  forbidden: 'check what this API key may use',
  not_found: 'check the model name and ANTHROPIC_BASE_URL',
  too_large: 'send a smaller document',
  spend_limit: "raise the account's spend limit or wait until it resets",
  rejected: 'the same request will be refused again; look the request id up at the provider',
};

/** Facts of an error answer that the provider sent. */
export interface ErrorAnswer {
  readonly status: number | null;
  readonly type: string | null;
  readonly errorCode: string | null;
  readonly headers: Headers;
}

/** The fault of an error answer: its spend limit first, then its status, then its error type. */
export function answerFault(answer: ErrorAnswer, now: number): CallFault {
  const { kind, faultClass } = classify(answer);
  const facts = [
    answer.status === null ? null : `status ${answer.status}`,
    word(answer.type),
    word(answer.errorCode),
  ].filter((fact) => fact !== null);
  const hint = advice[faultClass];
  const said = facts.length === 0 ? 'an error' : facts.join(', ');
  return new CallFault({
    kind,
    faultClass,
    status: answer.status,
    retryAfterMs: kind === 'transient' ? retryAfterMs(answer.headers, now) : null,
    requestId: requestIdOf(answer.headers),
    message: `The model API answered ${said}${hint === undefined ? '' : `: ${hint}`}.`,
  });
}

function classify(answer: ErrorAnswer): Classed {
  // A spend limit may come as 429, but waiting does not lift it.
  if (answer.errorCode?.endsWith('spend_limit_reached')) return permanent('spend_limit');
  const { status, type } = answer;
  if (status === null || status < 300)
    return (type === null ? undefined : byType.get(type)) ?? transient('server_error');
  const known = byStatus.get(status);
  if (known !== undefined) return known;
  if (status >= 500) return type === 'overloaded_error' ? transient('overloaded') : transient('server_error');
  return permanent('rejected');
}

/** The beginning of an answer. */
interface Head {
  readonly status: number;
  readonly headers: Headers;
}

/** A call that stopped on its way: no complete answer came, or only its beginning. */
export function lostCall(
  faultClass: 'connection' | 'connection_refused' | 'unknown_host' | 'stalled' | 'bad_body',
  message: string,
  answer: Head | null,
): CallFault {
  return new CallFault({
    kind: 'transient',
    faultClass,
    status: answer?.status ?? null,
    retryAfterMs: null,
    requestId: answer === null ? null : requestIdOf(answer.headers),
    message,
  });
}

/**
 * The CallFault of whatever the SDK or the socket threw, by class, status, error type and cause code, never by message.
 * `head` is the answer's beginning when its body was lost. Anything unknown is returned as it came: a bug must not pass
 * for a fault of the provider.
 */
export function faultOf(error: unknown, now: number, head: Head | null = null): unknown {
  if (error instanceof CallFault) return error;
  if (error instanceof APIConnectionTimeoutError) return lostCall('stalled', stalledMessage, head);
  if (error instanceof APIConnectionError) return connectionFault(error.cause, head);
  if (error instanceof APIError) {
    const { status, type, errorCode } = error;
    const headers = error.headers ?? new Headers();
    return answerFault({ status: status ?? null, type, errorCode, headers }, now);
  }
  // `fetch` reports a body that breaks off as a bare TypeError whose cause is the socket's error.
  if (error instanceof TypeError && error.cause instanceof Error) return connectionFault(error.cause, head);
  return error;
}

export const stalledMessage = 'The model API did not answer completely within the time this call had.';

/** By the cause code: what a wrong address or a missing network looks like, and no server that has trouble. */
const neverMade: Readonly<Record<string, 'connection_refused' | 'unknown_host'>> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
};

function connectionFault(cause: unknown, head: Head | null): CallFault {
  const code = codeOf(cause);
  if (code !== null && /TIMEOUT|TIMEDOUT/.test(code)) return lostCall('stalled', stalledMessage, head);
  return lostCall(
    neverMade[code ?? ''] ?? 'connection',
    `The connection to the model API failed${code === null ? '' : ` (${code})`}.`,
    head,
  );
}

/** The system's code of an error or of what caused it, such as ECONNRESET. */
function codeOf(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(at.code)) return at.code;
  }
  return null;
}

/** The provider's id of a request; anything that does not look like one is not stored. */
export function requestIdOf(headers: Headers): string | null {
  const id = headers.get('request-id');
  return id !== null && /^[\w-]{1,128}$/.test(id) ? id : null;
}

/** A provider's word, if it is one: free text is not repeated. */
function word(text: string | null): string | null {
  return text !== null && /^[a-z][a-z0-9_]{1,60}$/.test(text) ? text : null;
}
