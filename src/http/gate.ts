import { ApplicationError } from '../application/application-error.js';

/** Lets a bounded number of pieces of work in at once; whoever comes on top is told to come back, not kept waiting. */
export interface Gate {
  /** Throws ApplicationError `busy` when the gate is full. */
  through<T>(work: () => Promise<T>): Promise<T>;
}

export function createGate(most: number): Gate {
  let inside = 0;
  return {
    async through(work) {
      if (inside >= most) {
        throw new ApplicationError(
          'busy',
          'More documents arrive than can be started; send it again in a moment.',
        );
      }
      inside += 1;
      try {
        return await work();
      } finally {
        inside -= 1;
      }
    },
  };
}
