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

/** How far work has come that changes nothing. */
export interface Reading {
  /** So many are done; `total` null: nobody knows of how many. */
  tell(done: number, total: number | null): void;
  stop(): void;
}

/** A bar as above for what may be left at any moment: Ctrl-C ends the process at once, as it does without a bar. */
export function startReading(terminal: Terminal, unit: string): Reading {
  if (!terminal.showsProgress) return { tell: () => undefined, stop: () => undefined };
  let bar: SingleBar | null = null;
  return {
    tell: (done, total) => {
      if (bar !== null) return bar.update(done);
      bar = new SingleBar({
        format: total === null ? `{value} ${unit}` : `{bar} {value}/{total} ${unit}`,
        clearOnComplete: true,
        gracefulExit: false,
        // Nothing of the screen is changed that somebody would have to change back.
        linewrap: true,
        stream: process.stderr,
      });
      bar.start(total ?? 0, done);
    },
    stop: () => bar?.stop(),
  };
}
