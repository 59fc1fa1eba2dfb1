import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { ConfigError } from '../config.js';
import type { Hours } from './worker.js';

/** Closing connections and handing back; what runs by then is cut off. */
const marginMs = 2_000;
/** A worker that serves for less is not worth its start. */
const leastServiceMs = 3_000;
/** One that had nothing to do for this long leaves: waiting is paid for, and the next start takes about a second. */
const idleMs = 5_000;
const lookMs = 250;

export interface Invocation {
  /** Epoch ms at which the function is cut off. */
  readonly endsAt: number;
  /** The longest that an attempt is expected to take. */
  readonly longestAttemptMs: number;
  now(): number;
}

/**
 * The hours of a worker inside one invocation: it takes no new work when an attempt might not end any more, leaves early
 * when there is nothing to do, and gives back an attempt that it could not finish.
 * @throws ConfigError when the invocation is too short for any of this
 */
export function hoursOf({ endsAt, longestAttemptMs, now }: Invocation): Hours {
  const totalMs = endsAt - now();
  const serveMs = totalMs - marginMs - longestAttemptMs;
  if (serveMs < leastServiceMs) {
    const neededMs = longestAttemptMs + marginMs + leastServiceMs;
    throw new ConfigError(
      `This function has ${Math.floor(totalMs / 1_000)} s left, and its specs need ${Math.ceil(neededMs / 1_000)} s: give it a timeout of at least that, better of 900 s.`,
    );
  }
  return {
    shutdownGraceMs: longestAttemptMs,
    shutdownForceMs: longestAttemptMs + marginMs / 2,
    isSteady: false,
    around: ({ attempt }) => ({
      attempt: async (input) => {
        const { estimateMs } = input.decision;
        if (now() + estimateMs + marginMs <= endsAt) return await attempt(input);
        throw givenBack(estimateMs + marginMs > totalMs);
      },
    }),
    begun: (leave, inFlight) => {
      let busyAt = now();
      const look = setInterval(() => {
        if (inFlight() > 0) busyAt = now();
        const isOver = now() >= endsAt - marginMs - longestAttemptMs;
        if (!isOver && now() - busyAt < idleMs) return;
        clearInterval(look);
        leave();
      }, lookMs);
      return () => clearInterval(look);
    },
  };
}

/** Another invocation takes it at once; one that fits into none of them is not tried for ever. */
function givenBack(fitsNowhere: boolean): ApplicationFailure {
  return ApplicationFailure.create({
    message: fitsNowhere
      ? 'an attempt takes longer than the function may run'
      : 'too little is left of this invocation for an attempt',
    type: fitsNowhere ? 'internal_error' : 'worker_leaving',
    nonRetryable: fitsNowhere,
    nextRetryDelay: 1,
    category: ApplicationFailureCategory.BENIGN,
  });
}
