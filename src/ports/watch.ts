import type { TraceCarrier } from './tracing.js';

/** What the metrics of a process look like to whoever collects them. */
export interface Exposition {
  readonly contentType: string;
  /** Everything as it is now. Never rejects: what cannot be read is left out. */
  text(): Promise<string>;
}

/** How the API is watched. */
export interface Watch extends Exposition {
  /** `route` as it was declared, never as it was asked for. */
  requestAnswered(method: string, route: string, status: number, durationMs: number): void;
  /** Runs a request as a part of the trace that its headers tell of. */
  continued<T>(carrier: TraceCarrier, work: () => T): T;
}
