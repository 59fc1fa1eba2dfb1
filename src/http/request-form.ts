import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from './environment.js';
import { refuseIdempotencyKey } from './idempotency-key.js';
import { unusableIn } from './json-text.js';
import type { Operation, OperationOf } from './operations.js';
import { HttpProblem } from './problem.js';
import { faultsProblem, unknownField } from './schema-problem.js';

/**
 * Refuses what no operation can use before it is looked at any further: an Idempotency-Key or query parameters that the
 * operation does not have, bodies in an encoding, charset or type that it does not take, text that is not UTF-8, half characters, NUL,
 * nesting without end, and names given twice.
 */
export function checkForm(operationOf: OperationOf): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const operation = operationOf(c);
    if (operation !== null) {
      if (!operation.takesKey) refuseIdempotencyKey(c.req.header('idempotency-key'));
      checkQuery(c, operation.query);
      if (operation.bodyTypes.length > 0 && !(operation.isBodyOptional && isEmpty(c)))
        await checkBody(c, operation.bodyTypes);
    }
    await next();
  };
}

function checkQuery(c: Context<HttpEnv>, known: Operation['query']): void {
  const undecodable = undecodableOf(c.req.url);
  const faults = Object.entries(c.req.queries()).flatMap(([name, values]) => {
    if (!known.has(name)) return [unknownField('', name, 'parameter')];
    if (values.length > 1 && known.get(name) === false) {
      return [{ pointer: `/${name}`, detail: 'It must be given once.' }];
    }
    return values.some((value) => value.includes('\0')) || undecodable.has(name)
      ? [{ pointer: `/${name}`, detail: 'It holds bytes that are no text.' }]
      : [];
  });
  if (faults.length > 0) throw new HttpProblem(faultsProblem('query', faults));
}

/** Names of parameters whose percent signs spell no text; the framework leaves those as they are. */
function undecodableOf(url: string): ReadonlySet<string> {
  const at = url.indexOf('?');
  if (at === -1 || !url.includes('%', at)) return new Set();
  const parts = url.slice(at + 1).split('&');
  return new Set(parts.filter((part) => !canDecode(part)).map((part) => part.split('=')[0] ?? ''));
}

function canDecode(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function isEmpty(c: Context<HttpEnv>): boolean {
  const length = c.req.header('content-length') ?? '0';
  return length === '0' && c.req.header('transfer-encoding') === undefined;
}

async function checkBody(c: Context<HttpEnv>, types: readonly string[]): Promise<void> {
  const encoding = c.req.header('content-encoding');
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw unsupported('The body must come as it is, without a Content-Encoding.');
  }
  const [essence = '', ...parameters] = (c.req.header('content-type') ?? '').split(';');
  const type = essence.trim().toLowerCase();
  if (!types.includes(type)) throw unsupported(`The body must be ${types.join(' or ')}.`);
  for (const parameter of parameters) {
    const charset = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter)?.[1];
    if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
      throw unsupported('The body must be in UTF-8.');
    }
  }
  if (type === 'application/json') await checkJson(c);
}

/** Leaves the text behind for whoever reads the body next, so that it is decoded once. */
async function checkJson(c: Context<HttpEnv>): Promise<void> {
  const bytes = await c.req.arrayBuffer();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('The body is not text in UTF-8.');
  }
  const fault = unusableIn(text);
  if (fault !== null) throw malformed(`The body ${fault}`);
  c.req.bodyCache.text = Promise.resolve(text) as never;
}

function unsupported(detail: string): HttpProblem {
  return new HttpProblem({ slug: 'unsupported-media-type', detail });
}

function malformed(detail: string): HttpProblem {
  return new HttpProblem({ slug: 'malformed-body', detail });
}
