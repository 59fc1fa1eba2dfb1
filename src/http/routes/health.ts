import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { listOf } from '../schemas/common.js';
import { answer } from './answers.js';

const Health = z.object({ status: z.literal('ok') }).openapi('Health');

const Readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: listOf(z.object({ name: z.string(), ok: z.boolean() })),
  })
  .openapi('Readiness');

const health = createRoute({
  operationId: 'health',
  method: 'get',
  path: '/healthz',
  tags: ['Health'],
  summary: 'Does the process live?',
  security: [],
  responses: { 200: answer('It does.', Health) },
});

const ready = createRoute({
  operationId: 'readiness',
  method: 'get',
  path: '/readyz',
  tags: ['Health'],
  summary: 'Do store and engine answer?',
  security: [],
  responses: { 200: answer('Both do.', Readiness), 503: answer('One does not.', Readiness) },
});

/** A part that has not answered by then counts as gone. */
const patienceMs = 5_000;

export function healthRoutes(api: OpenAPIHono<HttpEnv>, { app }: HttpDeps): void {
  api.openapi(health, (c) => c.json({ status: 'ok' as const }, 200));

  api.openapi(ready, async (c) => {
    const checks = await Promise.all([
      check('store', () => app.store.ping()),
      check('engine', () => app.engine.ping()),
    ]);
    const isReady = checks.every(({ ok }) => ok);
    return isReady
      ? c.json({ status: 'ready' as const, checks }, 200)
      : c.json({ status: 'not_ready' as const, checks }, 503);
  });
}

/** Says only whether it answers: addresses are nothing for whoever may ask without a key. */
async function check(name: string, ping: () => Promise<void>): Promise<{ name: string; ok: boolean }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  const answered = ping().then(
    () => true,
    () => false,
  );
  const ok = await Promise.race([answered, late]);
  clearTimeout(timer);
  return { name, ok };
}
