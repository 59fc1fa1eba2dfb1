/** Name and stack frames of an unexpected error, for the log. Never its message: that may quote the document. */
export function errorFrames(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const lines = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return [error.name, ...lines.slice(0, 8)].join('\n');
}
