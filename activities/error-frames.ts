/** A line of a stack: where, with line and column. */
const frame = /^\s+at .+:\d+:\d+\)?$/;

/** Name and stack frames of an unexpected error, for the log. Never its message: that may quote the document. */
export function errorFrames(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { stack = '', message } = error;
  // The stack begins with the message, whose own lines may look like frames.
  const rest = message === '' ? stack : stack.slice(stack.indexOf(message) + message.length);
  const frames = stack.includes(message) ? rest.split('\n').filter((line) => frame.test(line)) : [];
  return [error.name, ...frames.slice(0, 8)].join('\n');
}
