import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { PageLayout } from '../../ports/page-reader.js';

/** What one PDF may take. */
export interface PdfLimits {
  readonly pages: number;
  /** Of extracted text. */
  readonly characters: number;
  /** Of the whole child process, buffers included. */
  readonly memoryBytes: number;
  /** Of the parser's JavaScript heap. */
  readonly heapMb: number;
  /** Processor time, so that a busy machine does not make a document unreadable. */
  readonly cpuMs: number;
  /** Time by the clock, against a parser that waits for ever. */
  readonly wallMs: number;
}

export type PdfRead =
  | { readonly kind: 'layout'; readonly layout: PageLayout }
  | { readonly kind: 'text'; readonly pages: number; readonly texts: readonly string[] }
  | { readonly kind: 'fault'; readonly fault: 'empty' | 'too_large' | 'encrypted' | 'corrupt' };

/** One child process that reads one PDF at a time, stays warm between them, and ends with this process. */
export interface PdfProcess {
  /** With a page, only where the text of that page stands. Null: the process died under the document without saying why. */
  read(bytes: Uint8Array, limits: PdfLimits, page?: number): Promise<PdfRead | null>;
  /** False once it has ended or is about to. */
  alive(): boolean;
  end(): Promise<void>;
}

/** Beyond this the child does not even keep its own limits: it is stopped, or its machine is. */
const lastResortMs = 5_000;

export function startPdfProcess(): PdfProcess {
  const child = fork(program(), {
    // None of this process's flags, and none of its environment: keys are not for a process that opens hostile files.
    execArgv: [],
    env: { SystemRoot: process.env['SystemRoot'] },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  let alive = true;
  const ended = new Promise<void>((resolve) => {
    const onEnd = () => {
      alive = false;
      resolve();
    };
    child.once('exit', onEnd);
    // A process that cannot be started has no exit, only an error.
    child.once('error', onEnd);
  });
  letGo(child);

  return {
    alive: () => alive,
    end: () => {
      alive = false;
      child.kill('SIGKILL');
      return ended;
    },
    async read(bytes, limits, page) {
      child.ref();
      child.channel?.ref();
      const lastResort = setTimeout(() => child.kill('SIGKILL'), limits.wallMs + lastResortMs);
      try {
        const answered = new Promise<(PdfRead & { readonly last: boolean }) | null>((resolve) => {
          child.once('message', (read) => resolve(read as PdfRead & { readonly last: boolean }));
          void ended.then(() => resolve(null));
        });
        child.send({ bytes, limits, page }, (error) => {
          if (error !== null) child.kill('SIGKILL');
        });
        const read = await answered;
        if (read === null || read.last) alive = false;
        return read;
      } finally {
        clearTimeout(lastResort);
        child.removeAllListeners('message');
        letGo(child);
      }
    },
  };
}

/** An idle child does not keep this process running. */
function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** The child's program is not compiled, so a compiled reader finds it where the sources are. */
function program(): URL {
  const beside = new URL('./pdf-child.mjs', import.meta.url);
  return existsSync(beside) ? beside : new URL(beside.href.replace('/dist/src/', '/src/'));
}
