import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { HttpEnv } from './environment.js';

const secret = ['authorization', 'cookie', 'apiKey', 'databaseUrl', 'password'];
const content = ['document', 'text', 'base64', 'bytes', 'values', 'record', 'candidate', 'feedback', 'body'];

const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Which extraction a path is about; a submission's answer says it in its Location. */
function extractionOf(path: string): string | undefined {
  return /\/v1\/extractions\/([0-9a-f]{8,64})(?:\/|$)/.exec(path)?.[1];
}

/** One JSON line an event. Keys that could hold secrets or document text are blanked, should a caller ever pass one. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const paths = [...secret, ...content].flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);
  return pino({ level, base: null, redact: { paths, censor: '[redacted]' } }, destination);
}

/** Names the request and writes one line when it has been answered: route and numbers, never a body or a query. */
export function logRequests(logger: Logger): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const asked = c.req.header('x-request-id');
    const requestId = asked !== undefined && /^[\w-]{1,64}$/.test(asked) ? asked : randomUUID();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    const startedAt = performance.now();
    await next();
    const ms = Math.round(performance.now() - startedAt);
    const { path } = c.req;
    const extractionId = extractionOf(path) ?? extractionOf(c.res.headers.get('location') ?? '');
    const line = { requestId, extractionId, method: c.req.method, path, status: c.res.status, ms };
    // Probes ask every few seconds; only a failing one is worth a line.
    const isProbe = probes.has(c.req.path) && c.res.ok;
    logger[isProbe ? 'debug' : 'info'](line, 'answered');
  };
}

/** Writes down an error that nobody foresaw: its kind and where, never its text, which may quote a document. */
export function logUnforeseen(logger: Logger, requestId: string, error: Error): void {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  logger.error(
    { requestId, kind: error.name, frames: frames.map((line) => line.trim()).slice(0, 12) },
    'unforeseen',
  );
}
