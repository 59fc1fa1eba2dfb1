import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { StoreUnavailable } from '../src/ports/store.js';
import { errorFrames } from './error-frames.js';
import { retryableFailure, storePauseMs } from './fault-failure.js';
import { withHeartbeat } from './heartbeat.js';

/**
 * Store work beats while it runs, and is retried for a day, bugs included: a fixed worker then finishes what a broken one
 * could not. Only failures of our own making reach history, and their messages are fixed sentences.
 */
export function shielded<Input, Output>(
  run: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const context = Context.current();
    const { info, log } = context;
    try {
      // A local activity is a part of its workflow's task: nobody watches its beat.
      return await (info.isLocal ? run(input) : withHeartbeat(context, () => run(input)));
    } catch (error) {
      if (error instanceof ApplicationFailure) throw error;
      if (!(error instanceof StoreUnavailable)) {
        log.error(`${info.activityType} failed`, { cause: errorFrames(error) });
      }
      const type = error instanceof StoreUnavailable ? 'store_unavailable' : 'internal_error';
      throw retryableFailure(type, storePauseMs(info.attempt));
    }
  };
}
