/** Where a trace travels in Temporal's headers: the name that Temporal's own OpenTelemetry interceptors use. */
export const traceHeader = '_tracer-data';
