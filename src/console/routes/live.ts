import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { ConsoleDeps, ConsoleEnv } from '../environment.js';
import { createPulse } from '../pulse.js';

/** Says when something changed, not what: pages fetch themselves again, so that they are right by construction. */
export function liveRoutes(site: Hono<ConsoleEnv>, { app }: ConsoleDeps): void {
  const pulse = createPulse(app);
  site.get('/live', (c) =>
    streamSSE(c, async (stream) => {
      const { tenant } = c.get('visitor');
      let last: string | null = null;
      while (!stream.aborted) {
        const now = await pulse.read(tenant);
        await stream.writeSSE({ event: now === last ? 'calm' : 'pulse', data: now, id: now });
        last = now;
        await stream.sleep(pulse.everyMs);
      }
    }),
  );
}
