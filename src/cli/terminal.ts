import { once } from 'node:events';

/** Where a command writes. Tests give their own; `processTerminal` is the real one. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** Resolves when what `out` was given has left the process, so that much of it need not wait in memory. */
  drained(): Promise<void>;
  /** True when `out` ends on a screen: then colours are used. */
  readonly isColoured: boolean;
  /** True when `error` ends on a screen: then progress is shown there. */
  readonly showsProgress: boolean;
}

/** The process's own streams. A reader that went away (`endstop list | head`) ends the process quietly. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
  return {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    drained: async () => {
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    },
    isColoured: process.stdout.isTTY === true && !process.env['NO_COLOR'],
    showsProgress: process.stderr.isTTY === true,
  };
}

const codes = { green: 32, yellow: 33, red: 31, dim: 2, bold: 1 } as const;
export type Colour = keyof typeof codes;

export function paint(terminal: Terminal, colour: Colour, text: string): string {
  return terminal.isColoured ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}
