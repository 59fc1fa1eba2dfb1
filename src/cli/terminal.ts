import { once } from 'node:events';

/** Where a command writes. Tests give their own; `processTerminal` is the real one. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** Resolves when what `out` was given has left the process, so that much of it need not wait in memory. */
  drained(): Promise<void>;
  /** What this program is called by whoever reads: "npx endstop" where it is not on the PATH. Absent: `endstop`. */
  readonly program?: string;
  /** True when `out` ends on a screen: then colours are used. */
  readonly isColoured: boolean;
  /** How many letters a line of that screen has; undefined: it is no screen. */
  readonly columns?: number | undefined;
  /** True when `error` ends on a screen: then progress is shown there. */
  readonly showsProgress: boolean;
}

/** The process's own streams. A reader that went away (`endstop list | head`) ends the process quietly. */
export function processTerminal(program = 'endstop'): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
  return {
    program,
    out: (text) => process.stdout.write(text),
    // Nothing but our own sentences goes there.
    error: (text) => process.stderr.write(asCalled({ program }, text)),
    drained: async () => {
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    },
    isColoured: process.stdout.isTTY === true && !process.env['NO_COLOR'],
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    showsProgress: process.stderr.isTTY === true,
  };
}

/** A sentence of ours, with its commands as they can be typed here. Not for anything that quotes a document. */
export function asCalled({ program = 'endstop' }: Pick<Terminal, 'program'>, text: string): string {
  return program === 'endstop'
    ? text
    : text.replace(/(?<!npx )(?<![\w/.-])endstop (?=[a-z<[-])/g, `${program} `);
}

/**
 * By which words this process was called: through npm, whose commands know folders that the shell's PATH does not, or
 * by its own name.
 */
export function programName(env: Readonly<Record<string, string | undefined>>, script: string): string {
  const [name] = script.split(/[\\/]/).slice(-1);
  if (name === 'start.mjs' || (name === 'endstop' && env['npm_command'] !== undefined)) return 'npx endstop';
  return name === 'endstop.mjs' && env['npm_lifecycle_event'] === 'endstop'
    ? 'npm run endstop --'
    : 'endstop';
}

const codes = { green: 32, yellow: 33, red: 31, dim: 2, bold: 1 } as const;
export type Colour = keyof typeof codes;

export function paint(terminal: Terminal, colour: Colour, text: string): string {
  return terminal.isColoured ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}
