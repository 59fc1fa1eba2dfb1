import type { MiddlewareHandler } from 'hono';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { HttpEnv } from './environment.js';
import { HttpProblem } from './problem.js';

/** The window over which requests of a key are counted, in seconds: long enough for a burst, short enough to wait for. */
const windowSeconds = 10;

/**
 * Bounds the requests of each key, counted by this process. Every answer says what is left
 * (draft-ietf-httpapi-ratelimit-headers); beyond it 429 says when to come again.
 */
export function limitRate(perMinute: number): MiddlewareHandler<HttpEnv> {
  if (perMinute === 0) return (_c, next) => next();
  const points = Math.max(1, Math.round((perMinute * windowSeconds) / 60));
  const limiter = new RateLimiterMemory({ points, duration: windowSeconds });
  return async (c, next) => {
    const { keyId } = c.get('principal');
    const state = await limiter.consume(keyId).catch((refused: RateLimiterRes) => refused);
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
    c.header('RateLimit-Policy', `"key";q=${points};w=${windowSeconds}`);
    c.header('RateLimit', `"key";r=${Math.max(0, state.remainingPoints)};t=${seconds}`);
    if (state.consumedPoints > points) {
      throw new HttpProblem({
        slug: 'rate-limited',
        detail: `This key may send ${points} requests in ${windowSeconds} seconds; send it again in ${seconds} s.`,
        retryAfter: seconds,
      });
    }
    await next();
  };
}
