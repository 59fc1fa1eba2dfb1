import { EngineUnavailable } from '../ports/engine.js';
import { StoreUnavailable } from '../ports/store.js';

/** Told of an error that nobody foresaw; it goes no further. */
export type OnFault = (error: unknown) => void;

/**
 * Runs work on one of many. An outage of the store or the engine is everybody's and thrown; anything else is a bug or odd
 * data of this one, which must not keep the others waiting: then the answer is `otherwise`.
 */
export async function unlessDown<T>(work: () => Promise<T>, otherwise: T, onFault: OnFault): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof EngineUnavailable) throw error;
    onFault(error);
    return otherwise;
  }
}
