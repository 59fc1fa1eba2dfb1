import { EngineUnavailable } from '../ports/engine.js';
import { StoreUnavailable } from '../ports/store.js';
import type { CliContext } from './context.js';

/** What a command that waits for others' work says when it leaves before them; null: nothing of it was begun. */
export interface Farewell {
  /** Somebody ends the command (Ctrl-C): what becomes of the work, and how to follow it. */
  left(): string | null;
  /** Database or engine went away: what is kept. */
  kept(): string | null;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof exitCodes;

/** Runs `work`, and sees to it that nobody who leaves it early has to guess what became of what it began. */
export async function withFarewell<T>(
  { terminal }: Pick<CliContext, 'terminal'>,
  { left, kept }: Farewell,
  work: () => Promise<T>,
): Promise<T> {
  const leave = (signal: Signal) => {
    // After whoever else listens: a bar that is still shown would hide the cursor for good.
    setImmediate(() => {
      const text = left();
      if (text !== null) terminal.error(`\n${text}\n`);
      process.exit(exitCodes[signal]);
    });
  };
  const signals = Object.keys(exitCodes) as Signal[];
  for (const signal of signals) process.once(signal, leave);
  try {
    return await work();
  } catch (error) {
    const text = kept();
    if (text === null) throw error;
    if (error instanceof EngineUnavailable) throw new EngineUnavailable(`${error.message} ${text}`);
    if (error instanceof StoreUnavailable) throw new StoreUnavailable(`${error.message} ${text}`);
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, leave);
  }
}
