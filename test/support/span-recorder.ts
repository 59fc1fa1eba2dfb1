import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanStatus,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export interface RecordedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly attributes: Attributes;
  readonly status: SpanStatus;
}

/** What an operator's OpenTelemetry SDK would register, in small: spans that ended, in the order in which they did. */
export function recordSpans(): { readonly spans: RecordedSpan[]; stop(): void } {
  const spans: RecordedSpan[] = [];
  const tracer: Tracer = {
    startSpan: (name, options = {}, at = context.active()) => startSpan(spans, name, options.attributes, at),
    startActiveSpan: (name: string, ...rest: unknown[]) => {
      const work = rest.at(-1) as (span: Span) => unknown;
      const options = (rest.length > 1 ? rest[0] : {}) as { readonly attributes?: Attributes };
      const span = startSpan(spans, name, options.attributes, context.active());
      return context.with(trace.setSpan(context.active(), span), work, undefined, span) as never;
    },
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  context.setGlobalContextManager(asyncContexts());
  propagation.setGlobalPropagator(traceparent);
  return {
    spans,
    stop: () => {
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

function startSpan(spans: RecordedSpan[], name: string, given: Attributes | undefined, at: Context): Span {
  const parent = trace.getSpanContext(at) ?? null;
  const own: SpanContext = {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    traceFlags: 1,
  };
  const attributes: Attributes = { ...given };
  let status: SpanStatus = { code: SpanStatusCode.UNSET };
  const span: Span = {
    spanContext: () => own,
    setAttribute: (key, value) => span.setAttributes({ [key]: value }),
    setAttributes: (more) => {
      Object.assign(attributes, more);
      return span;
    },
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    setStatus: (set) => {
      status = set;
      return span;
    },
    updateName: () => span,
    end: () => spans.push({ name, ...own, parentId: parent?.spanId ?? null, attributes, status }),
    isRecording: () => true,
    recordException: () => undefined,
  };
  return span;
}

function asyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (at, work, self, ...given) => storage.run(at, () => work.call(self as never, ...given)),
    bind: (_at, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

/** The W3C header. */
const traceparent: TextMapPropagator = {
  inject: (at, carrier, { set }) => {
    const span = trace.getSpanContext(at);
    if (span !== undefined) set(carrier, 'traceparent', `00-${span.traceId}-${span.spanId}-01`);
  },
  extract: (at, carrier, { get }) => {
    const [, traceId, spanId] = String(get(carrier, 'traceparent')).split('-');
    if (traceId === undefined || spanId === undefined) return at;
    return trace.setSpanContext(at, { traceId, spanId, traceFlags: 1, isRemote: true });
  },
  fields: () => ['traceparent'],
};
