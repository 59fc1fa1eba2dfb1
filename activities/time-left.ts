import type { Info } from '@temporalio/activity';

/** The call ends this much before the activity's own timeout, so that a stall is a failed call and not a race. */
const marginMs = 500;

/**
 * What is left of the deadline for a call. Measured from the server's scheduled timestamp plus the timeout it was
 * given, so that a worker's clock running late or early shifts it by its own skew only, and a retry never stretches it.
 */
export function callTimeLeftMs(
  info: Pick<Info, 'scheduledTimestampMs' | 'scheduleToCloseTimeoutMs'>,
  now: number,
): number {
  return info.scheduledTimestampMs + info.scheduleToCloseTimeoutMs - marginMs - now;
}
