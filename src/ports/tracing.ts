/** What carries a trace from one process to the next, e.g. `traceparent`. Empty when there is none. */
export type TraceCarrier = Readonly<Record<string, string>>;

/** What a span says of its work: ids, labels and counts, never a text of a document. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export const spanNames = ['submit', 'attempt', 'call', 'judge', 'land', 'webhook'] as const;
export type SpanName = (typeof spanNames)[number];

/** Spans around work. Changes nothing about the work and never throws of its own. */
export interface Tracing {
  /** Runs `work` in a span that ends with it; facts may be added until then. What `work` throws marks the span. */
  span<T>(name: SpanName, facts: SpanFacts, work: (add: (more: SpanFacts) => void) => T): T;
  /** What hands the trace of here over to another process. */
  carrier(): TraceCarrier;
  /** Runs `work` as a part of a trace that another process began. */
  continued<T>(carrier: TraceCarrier, work: () => T): T;
}

/** For whoever nobody watches. */
export const untraced: Tracing = {
  span: (_name, _facts, work) => work(() => undefined),
  carrier: () => ({}),
  continued: (_carrier, work) => work(),
};
