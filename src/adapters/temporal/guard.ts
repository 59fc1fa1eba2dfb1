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
      const undecodable = undecodableIn(error);
      if (undecodable !== null) throw new EngineUnavailable(undecodable.message);
      const status = statusOf(error);
      if (status === null || !troubles.has(status)) throw error;
      throw silent.has(status) ? unavailable(address) : troubled(address, status);
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
/** DEADLINE_EXCEEDED and UNAVAILABLE. */
const silent: ReadonlySet<number> = new Set([deadlineExceeded, 14]);
/**
 * Also CANCELLED, UNKNOWN, RESOURCE_EXHAUSTED, ABORTED and INTERNAL: the server's own trouble, as while it goes down or
 * comes up. Every other status is about the request.
 */
const troubles: ReadonlySet<number> = new Set([...silent, 1, 2, 8, 10, 13]);

function troubled(address: string, status: number): EngineUnavailable {
  return new EngineUnavailable(
    `The Temporal server at ${address} could not do this just now (gRPC status ${status}): try again, and look into its log should it go on.`,
  );
}

export function isDeadlineExceeded(error: unknown): boolean {
  return statusOf(error) === deadlineExceeded;
}

/** The gRPC status code of an error, also when the SDK wrapped it; null when it has none. */
export function statusOf(error: unknown): number | null {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return isGrpcServiceError(cause) ? cause.code : null;
}
