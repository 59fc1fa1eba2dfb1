import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

/** Counts what is done while a command waits for many runs. */
export interface Progress {
  /** One more is done; `note` is shown beside the bar. */
  step(note: string): void;
  /** So many are done in all; `note` is shown beside the bar. */
  reach(done: number, note: string): void;
  stop(): void;
}

/** A bar on the error stream when that is a screen and there is more than one thing to wait for; else nothing. */
export function startProgress(terminal: Terminal, total: number, unit: string): Progress {
  if (!terminal.showsProgress || total < 2) {
    return { step: () => undefined, reach: () => undefined, stop: () => undefined };
  }
  const bar = new SingleBar({
    format: `{bar} {value}/{total} ${unit}  {note}`,
    clearOnComplete: true,
    hideCursor: true,
    // Shows the cursor again, and does not end the process: whoever shows a bar says farewell, which does.
    gracefulExit: true,
    stream: process.stderr,
  });
  bar.start(total, 0, { note: '' });
  return {
    step: (note) => bar.increment(1, { note }),
    reach: (done, note) => bar.update(Math.min(done, total), { note }),
    stop: () => bar.stop(),
  };
}
