import { asyncLocalStorage, Context, type Info } from '@temporalio/activity';

export interface ActivityRun<T> {
  readonly result: Promise<T>;
  /** What was logged: messages with their attributes, as text. */
  readonly logs: readonly string[];
  /** Cancels the activity, as a shutdown of its worker does. */
  cancel(): void;
}

/** Runs work in an activity context without a server, scheduled `agoMs` ago with `timeoutMs` in all. */
export function inActivity<T>(
  work: () => Promise<T>,
  { attempt = 1, timeoutMs = 60_000, now = Date.now() } = {},
): ActivityRun<T> {
  const logs: string[] = [];
  const controller = new AbortController();
  const cancelled = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  cancelled.catch(() => undefined);
  const info = {
    activityId: 'activity-1',
    activityType: 'attempt',
    attempt,
    retryPolicy: { maximumAttempts: 8 },
    scheduledTimestampMs: now,
    scheduleToCloseTimeoutMs: timeoutMs,
  } as Info;
  const say = (message: string, attributes?: object) =>
    void logs.push(`${message} ${JSON.stringify(attributes ?? {})}`);
  const log = { trace: say, debug: say, info: say, warn: say, error: say, log: () => undefined };
  const meter = undefined as never;
  const beat = () => undefined;
  const context = new Context(info, cancelled, controller.signal, beat, undefined, log, meter, {});
  const result = asyncLocalStorage.run(context, work);
  return { result, logs, cancel: () => controller.abort(new Error('the worker shuts down')) };
}
