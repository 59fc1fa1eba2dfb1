/**
 * A fault of the local stack that a person can mend. The message is one clear sentence or two: what is wrong, what to
 * do. `logLines` holds the last lines of the process that failed, when one did.
 */
export class StackError extends Error {
  override readonly name = 'StackError';
  readonly logLines: readonly string[];

  constructor(message: string, logLines: readonly string[] = []) {
    super(message);
    this.logLines = logLines;
  }
}

/** The `code` of a system error (`ENOENT`, `EACCES`), or undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
