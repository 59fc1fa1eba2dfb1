import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { traceHeader } from '../../../workflows/trace-header.js';
import type { TraceCarrier, Tracing } from '../../ports/tracing.js';

/** Sends the trace of the caller along with the workflow it starts. */
export function startsTraced(tracing: Tracing): WorkflowClientInterceptor {
  return {
    startWithDetails: (input, next) => {
      const carrier = tracing.carrier();
      if (Object.keys(carrier).length === 0) return next(input);
      const payload = defaultPayloadConverter.toPayload(carrier);
      return next({ ...input, headers: { ...input.headers, [traceHeader]: payload } });
    },
  };
}

/** Runs each activity as a part of the trace that its workflow was started under. */
export function runsTraced(tracing: Tracing): ActivityInterceptorsFactory {
  return () => ({
    inbound: {
      execute: (input, next) => tracing.continued(carrierOf(input.headers), () => next(input)),
    },
  });
}

/** Whoever started the workflow wrote this: what does not read is no trace, and no reason to fail. */
function carrierOf(headers: Headers): TraceCarrier {
  const payload = headers[traceHeader];
  if (payload === undefined) return {};
  try {
    const carrier: unknown = defaultPayloadConverter.fromPayload(payload);
    if (typeof carrier !== 'object' || carrier === null) return {};
    const texts = Object.entries(carrier).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}
