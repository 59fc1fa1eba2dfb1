/**
 * Signals that ask for an orderly end: Ctrl-C and `kill`. SIGHUP is left alone, or nohup would not work any more; when
 * a closed terminal ends this process, the guard stops the stack.
 */
const signals = ['SIGINT', 'SIGTERM'] as const;
/** npm passes Ctrl-C on although the terminal has sent it already: one press is two signals within an instant. */
const samePressMs = 1_000;

/**
 * Aborts at the first SIGINT or SIGTERM. A later one ends this process at once; the guard then stops what is
 * left of the stack. Takes the signals over for the rest of the process's life.
 */
export function stopSignal(
  exit: (code: number) => void = process.exit,
  now: () => number = Date.now,
): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const name of signals) {
    process.on(name, () => {
      if (firstAt === undefined) {
        firstAt = now();
        controller.abort(name);
      } else if (now() - firstAt > samePressMs) {
        exit(130);
      }
    });
  }
  return controller.signal;
}
