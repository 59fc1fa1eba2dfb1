import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { HttpEnv } from './environment.js';
import { HttpProblem } from './problem.js';
import { timeLeftMs } from './time-left.js';

/** One event of a subject. Ids are the subject's own, and in order: a client that comes back names the last it saw. */
export interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/**
 * The events of a subject that come after the one of this id (null: all), each as soon as it is there. Ends when the
 * subject has ended. `signal` is aborted when nobody listens any more: whoever waits then stops waiting.
 */
export type EventSource = (after: string | null, signal: AbortSignal) => AsyncIterable<StreamedEvent>;

export interface EventStreams {
  /**
   * Answers with the events as a stream (text/event-stream). 204 when a client comes back to a subject that has ended
   * and had said all: browsers then stop coming back.
   * Throws HttpProblem when too many streams are open.
   */
  answer(c: Context<HttpEnv>, source: EventSource): Promise<Response>;
  /** Ends every open stream; clients come back elsewhere. */
  close(): void;
}

export interface EventStreamOptions {
  /** Streams that may be open at once, in all and for one key. */
  readonly most: number;
  readonly mostPerKey: number;
  /** Between two comments that keep proxies from cutting a silent stream. */
  readonly heartbeatMs: number;
}

export const eventStreamDefaults: EventStreamOptions = { most: 200, mostPerKey: 20, heartbeatMs: 15_000 };

/** How long the first event is waited for before the stream begins, and another before a bounded one ends. */
const firstMs = 500;
/** Events in one bounded answer: what a function answers may have 6 MB. */
const mostAtOnce = 1_000;
/** Ids are ours; a longer one is none. */
const longestId = 200;

export function createEventStreams(options: EventStreamOptions = eventStreamDefaults): EventStreams {
  const open = new Map<AbortController, string>();
  const openOf = (keyId: string) => [...open.values()].filter((holder) => holder === keyId).length;

  return {
    async answer(c, source) {
      const after = lastEventId(c.req.header('last-event-id'));
      const { keyId } = c.get('principal');
      if (open.size >= options.most || openOf(keyId) >= options.mostPerKey) throw tooMany();
      const gone = new AbortController();
      open.set(gone, keyId);
      const leftMs = timeLeftMs(c);
      const end = leftMs === null ? undefined : setTimeout(() => gone.abort(), leftMs);
      const release = () => {
        clearTimeout(end);
        gone.abort();
        open.delete(gone);
      };
      const events = source(after, gone.signal)[Symbol.asyncIterator]();
      // A subject that is not there is a problem, not a stream: nothing has been answered yet.
      const first = events.next();
      const begun = await Promise.race([first, pause(firstMs)]).catch((error: unknown) => {
        release();
        throw error;
      });
      if (begun?.done === true && after !== null && !gone.signal.aborted) {
        release();
        return c.body(null, 204);
      }
      const following = (sent: number): Promise<IteratorResult<StreamedEvent> | undefined> => {
        if (leftMs === null) return events.next();
        return sent < mostAtOnce ? Promise.race([events.next(), pause(firstMs)]) : Promise.resolve(undefined);
      };
      // Proxies that gather answers would keep events back.
      c.header('X-Accel-Buffering', 'no');
      return streamSSE(c, async (stream) => {
        stream.onAbort(release);
        gone.signal.addEventListener('abort', () => void stream.close(), { once: true });
        const heart = setInterval(() => void stream.write(': still here\n\n'), options.heartbeatMs);
        try {
          let next: IteratorResult<StreamedEvent> | undefined = await first;
          for (let sent = 1; next !== undefined && next.done !== true && !gone.signal.aborted; sent += 1) {
            const { id, event, data } = next.value;
            await stream.writeSSE({ id, event, data: JSON.stringify(data) });
            next = await following(sent);
          }
        } catch {
          // The answer is under way: the stream ends, the client comes back and is told by status what is wrong.
        } finally {
          clearInterval(heart);
          release();
          await events.return?.();
        }
      });
    },
    close: () => {
      for (const gone of open.keys()) gone.abort();
    },
  };
}

function lastEventId(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  if (header.length <= longestId) return header;
  throw new HttpProblem({
    slug: 'invalid-parameter',
    detail: `Last-Event-ID is at most ${longestId} characters.`,
  });
}

function tooMany(): HttpProblem {
  return new HttpProblem({
    slug: 'too-many-streams',
    detail: 'Too many event streams are open; close some, or ask for the status instead.',
  });
}

async function pause(ms: number): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  return undefined;
}
