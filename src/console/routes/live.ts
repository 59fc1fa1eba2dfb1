import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { ConsoleEnv } from '../environment.js';
import type { Pulse } from '../pulse.js';

/** Says when something changed, not what: pages fetch themselves again, so that they are right by construction. */
export function liveRoutes(site: Hono<ConsoleEnv>, pulse: Pulse): void {
  site.get('/live', (c) =>
    streamSSE(c, async (stream) => {
      const app = c.get('app');
      let last: string | null = null;
      while (!stream.aborted) {
        const now = await pulse.read(app);
        await stream.writeSSE({ event: now === last ? 'calm' : 'pulse', data: now, id: now });
        last = now;
        await stream.sleep(pulse.everyMs);
      }
    }),
  );
}
