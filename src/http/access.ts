import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { isLoopback } from '../config.js';
import type { HttpEnv } from './environment.js';
import { HttpProblem } from './problem.js';

/** Asks for `Authorization: Bearer <key>`. Compares digests in constant time, so that no prefix can be guessed. */
export function requireKey(key: string): MiddlewareHandler<HttpEnv> {
  const expected = digest(key);
  return async (c, next) => {
    const given = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (given === undefined || !timingSafeEqual(digest(given), expected)) {
      c.header('WWW-Authenticate', 'Bearer realm="endstop"');
      throw new HttpProblem({
        slug: 'unauthorized',
        title: 'A key is needed',
        status: 401,
        detail: 'Send the API key as "Authorization: Bearer <key>".',
      });
    }
    await next();
  };
}

/**
 * Without a key, only this machine may ask, and only for itself: a page of another site, or one whose name was made to
 * point here, is refused by the `Host` and `Origin` its browser sends.
 */
export const requireLoopback: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const origin = c.req.header('origin');
  if (
    !isLocal(c.req.header('host') ?? new URL(c.req.url).host) ||
    (origin !== undefined && !isLocalOrigin(origin))
  ) {
    throw new HttpProblem({
      slug: 'forbidden',
      title: 'Only this machine may ask',
      status: 403,
      detail: 'Without ENDSTOP_API_KEY the API answers requests to and from this machine only.',
    });
  }
  await next();
};

function isLocal(host: string): boolean {
  return isLoopback(host.replace(/:\d+$/, ''));
}

function isLocalOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLocal(new URL(origin).host);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
