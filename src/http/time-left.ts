import type { Context } from 'hono';
import type { HttpEnv } from './environment.js';

/** What making and sending an answer may take once waiting is over. */
const marginMs = 3_000;

/** How long a request may be held open before whoever runs the API cuts it off; null: as long as it likes. */
export function timeLeftMs(c: Context<HttpEnv>): number | null {
  // Without a socket or a function around it, there are no bindings at all.
  const invocation = (c.env as HttpEnv['Bindings'] | undefined)?.lambdaContext;
  return invocation === undefined ? null : Math.max(0, invocation.getRemainingTimeInMillis() - marginMs);
}
