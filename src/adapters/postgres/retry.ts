import { setTimeout as pause } from 'node:timers/promises';
import { StatementRefused } from './faults.js';

/** Serialization failure and deadlock: Postgres undid the whole statement or transaction, so it may be run again. */
const undone: ReadonlySet<string> = new Set(['40001', '40P01']);
const tries = 5;

/** Runs a transaction again when Postgres undid it in favour of another one. */
export async function retried<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof StatementRefused) || !undone.has(error.code) || attempt === tries) throw error;
      await pause(Math.random() * 20 * attempt);
    }
  }
}
