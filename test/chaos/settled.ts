import { setTimeout as pause } from 'node:timers/promises';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Stack } from './stack.js';

const longestMs = 150_000;
const reconcileEveryMs = 4_000;

/**
 * Waits until everything of a tenant has ended by itself: runs, redriven letters, announcements, workflows. Gives up
 * after two and a half minutes, since whatever has not ended then is for the audit to say.
 */
export async function settled(stack: Stack, tenant: string): Promise<void> {
  const until = Date.now() + longestMs;
  for (let reconciledAt = Date.now(); Date.now() < until; await pause(500)) {
    if ((await underWay(stack, tenant)) === 0 && (await astray(stack, tenant)).length === 0) return;
    if (Date.now() - reconciledAt < reconcileEveryMs) continue;
    reconciledAt = Date.now();
    await stack.reconcile().catch(() => undefined);
    // A worker that was killed in the middle of a delivery holds it for another minute, which need not be waited for.
    await stack
      .sql(
        `with due as (update webhook_deliveries set due_at = 0 where tenant = $1 and state = 'pending')
          select pg_notify('endstop_webhooks', '')`,
        [tenant],
      )
      .catch(() => undefined);
  }
}

async function underWay(stack: Stack, tenant: string): Promise<number> {
  const rows = await stack
    .sql(
      `select (select count(*) from extractions where tenant = $1 and state = 'open')
        + (select count(*) from webhook_deliveries where tenant = $1 and state = 'pending')
        + (select count(*) from extractions e where tenant = $1 and route = 'best_effort' and not exists
          (select from records r where r.key = e.key and r.source = 'best_effort'))
        + (select count(*) from extractions e where tenant = $1 and route = 'fallback' and not exists
          (select from records r where r.key = e.key and r.source = 'fallback')) as count`,
      [tenant],
    )
    .catch(() => [{ count: 1 }]);
  return Number(rows[0]?.['count']);
}

/** Workflows that go on although their run has ended, and open reviews that no workflow keeps the time of. */
export async function astray(stack: Stack, tenant: string): Promise<readonly string[]> {
  const runs = await stack.sql('select distinct key from extractions where tenant = $1', [tenant]);
  const reviews = await stack.sql(
    `select subject, state from review_tasks where tenant = $1 and kind = 'exhausted'`,
    [tenant],
  );
  const wanted = [
    ...runs.map(({ key }) => ({ id: workflowIds.extraction(String(key)), runs: false })),
    ...reviews.map(({ subject, state }) => ({
      id: workflowIds.humanReview(String(subject)),
      runs: state === 'open',
    })),
  ];
  const found = await Promise.all(
    wanted.map(async ({ id, runs }) => {
      const isRunning = await stack.temporal.workflow
        .getHandle(id)
        .describe()
        .then(({ status }) => status.name === 'RUNNING')
        .catch(() => false);
      if (isRunning === runs) return [];
      return [runs ? `${id} keeps no time` : `${id} goes on although it has ended`];
    }),
  );
  return found.flat();
}
