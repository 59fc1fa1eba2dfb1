import type { Context } from '@temporalio/activity';

/** A clean call is over before the first beat: beats cost a server round trip each. */
const firstBeatMs = 5_000;
const beatMs = 3_000;

/** Beats while `work` runs longer than five seconds, so that a lost worker is noticed within the heartbeat timeout. */
export async function withHeartbeat<T>(
  context: Pick<Context, 'heartbeat'>,
  work: () => Promise<T>,
): Promise<T> {
  let interval: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    context.heartbeat();
    interval = setInterval(() => context.heartbeat(), beatMs);
  }, firstBeatMs);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(interval);
  }
}
