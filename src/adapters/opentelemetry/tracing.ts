import { context, propagation, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { SpanFacts, Tracing } from '../../ports/tracing.js';

/** Provider, context manager and propagator are whoever's registers them; without any all of this does nothing. */
export function createTracing(): Tracing {
  return {
    span: (name, facts, work) =>
      trace
        .getTracer('endstop')
        .startActiveSpan(`endstop.${name}`, { attributes: named(facts) }, (span) =>
          ended(span, () => work((more) => span.setAttributes(named(more)))),
        ),
    carrier: () => {
      const carrier: Record<string, string> = {};
      propagation.inject(context.active(), carrier);
      return carrier;
    },
    continued: (carrier, work) => context.with(propagation.extract(context.active(), carrier), work),
  };
}

/** Ends the span with the work, whether that is done at once or later. */
function ended<T>(span: Span, work: () => T): T {
  let result: T;
  try {
    result = work();
  } catch (error) {
    fail(span, error);
    throw error;
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  // Beside the work, not before it: whoever waits for it is not kept a moment longer.
  result.then(
    () => span.end(),
    (error: unknown) => fail(span, error),
  );
  return result;
}

/** An error's own text may quote the document, so only its kind is told. */
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : typeof error });
  span.end();
}

function named(facts: SpanFacts): Record<string, string | number | boolean> {
  return Object.fromEntries(Object.entries(facts).map(([fact, value]) => [`endstop.${fact}`, value]));
}
