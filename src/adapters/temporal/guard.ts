import { isGrpcServiceError } from '@temporalio/client';
import { EngineUnavailable } from '../../ports/engine.js';
import { UndecodablePayload } from '../../ports/payload-codec.js';

/** Turns the ways in which a server can be away into EngineUnavailable. */
export type Guard = <T>(run: () => Promise<T>) => Promise<T>;

export function createGuard(address: string): Guard {
  return async (run) => {
    try {
      return await run();
    } catch (error) {
      if (isUnavailable(error)) throw unavailable(address);
      const undecodable = undecodableIn(error);
      if (undecodable !== null) throw new EngineUnavailable(undecodable.message);
      throw error;
    }
  };
}

/** The SDK wraps what its codec throws. */
function undecodableIn(error: unknown): UndecodablePayload | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof UndecodablePayload) return cause;
  return null;
}

export function unavailable(address: string): EngineUnavailable {
  return new EngineUnavailable(
    `No Temporal server answers at ${address}: start one with "endstop up", or set TEMPORAL_ADDRESS to one that runs.`,
  );
}

/** gRPC status of a call that took longer than its deadline. */
const deadlineExceeded = 4;

export function isDeadlineExceeded(error: unknown): boolean {
  return statusOf(error) === deadlineExceeded;
}

/** The gRPC status code of an error, also when the SDK wrapped it; null when it has none. */
export function statusOf(error: unknown): number | null {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return isGrpcServiceError(cause) ? cause.code : null;
}

/** UNAVAILABLE and DEADLINE_EXCEEDED. */
function isUnavailable(error: unknown): boolean {
  return statusOf(error) === 14 || isDeadlineExceeded(error);
}
