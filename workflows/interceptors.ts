import type { WorkflowInterceptors } from '@temporalio/workflow';
import { traceHeader } from './trace-header.js';

/**
 * Hands the trace that a run was started under on to its activities and children, as it came. Headers decide nothing, so
 * that a history replays the same with and without them.
 */
export function interceptors(): WorkflowInterceptors {
  let trace: Record<string, never> | undefined;
  const traced = <Input extends { readonly headers: object }>(input: Input): Input =>
    trace === undefined ? input : { ...input, headers: { ...input.headers, ...trace } };
  return {
    inbound: [
      {
        execute: (input, next) => {
          const given = input.headers[traceHeader];
          if (given !== undefined) trace = { [traceHeader]: given as never };
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(traced(input)),
        startChildWorkflowExecution: (input, next) => next(traced(input)),
      },
    ],
  };
}
