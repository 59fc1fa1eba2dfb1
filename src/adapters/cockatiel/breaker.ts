import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
} from 'cockatiel';
import { type Breaker, type BreakerState, CallsSuspended } from '../../ports/breaker.js';
import { CallFault } from '../../ports/extractor.js';

export interface BreakerOptions {
  /** Failed calls in a row that open it. */
  readonly failures: number;
  /** How long it stays open at first; doubles with each probe that fails. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A Retry-After is obeyed up to this, also beyond the longest pause. */
  readonly longestRetryAfterMs: number;
}

/**
 * Five in a row is Envoy's outlier detection (`consecutive_5xx`), five seconds the first pause of Polly and Hystrix
 * (`BreakDuration`, `sleepWindow`), a minute the open state of Resilience4j (`waitDurationInOpenState`), and five minutes
 * Envoy's longest ejection (`max_ejection_time`).
 */
const defaults: BreakerOptions = {
  failures: 5,
  firstPauseMs: 5_000,
  longestPauseMs: 60_000,
  longestRetryAfterMs: 300_000,
};

/** One circuit for each model. `say` is told of every change of state in one line. */
export function createBreaker(say: (line: string) => void, options: Partial<BreakerOptions> = {}): Breaker {
  const settings = { ...defaults, ...options };
  const circuits = new Map<string, Circuit>();
  return {
    async guard(model, call) {
      let circuit = circuits.get(model);
      if (circuit === undefined) {
        circuit = createCircuit(model, settings, say);
        circuits.set(model, circuit);
      }
      const until = suspendedUntil(circuit);
      if (until !== null) throw new CallsSuspended(until);
      try {
        return await circuit.policy.execute(call);
      } catch (error) {
        throw error instanceof BrokenCircuitError ? new CallsSuspended(circuit.nextProbeAt()) : error;
      }
    },
    suspendedUntil: (model) => {
      const circuit = circuits.get(model);
      return circuit === undefined ? null : suspendedUntil(circuit);
    },
    breakers: () => [...circuits].map(([model, circuit]) => snapshot(model, circuit)),
  };
}

interface Circuit {
  readonly policy: CircuitBreakerPolicy;
  since(): number;
  cause(): string;
  nextProbeAt(): number;
}

/** While a probe is under way its end is not known; the policy itself would keep the others waiting in their slots. */
function suspendedUntil({ policy, nextProbeAt }: Circuit): number | null {
  const now = Date.now();
  if (policy.state === CircuitState.HalfOpen) return now;
  return policy.state === CircuitState.Open && now < nextProbeAt() ? nextProbeAt() : null;
}

function createCircuit(model: string, settings: BreakerOptions, say: (line: string) => void): Circuit {
  let probesFailed = 0;
  let nextProbeAt = 0;
  let cause = '';
  let isClosed = true;
  let since = Date.now();
  const turn = (toClosed: boolean) => {
    if (toClosed !== isClosed) since = Date.now();
    isClosed = toClosed;
  };
  const counts = (error: unknown): boolean => {
    if (error instanceof CallFault) return error.kind === 'transient';
    // A probe that was cut short, or that the store kept from leaving, has found out nothing: stay away.
    return policy.state === CircuitState.HalfOpen;
  };
  const policy: CircuitBreakerPolicy = circuitBreaker(handleWhen(counts), {
    breaker: new ConsecutiveBreaker(settings.failures),
    halfOpenAfter: new DelegateBackoff(({ result }) => {
      const error = 'error' in result ? result.error : null;
      const fault = error instanceof CallFault ? error : null;
      const doubled = Math.min(settings.longestPauseMs, settings.firstPauseMs * 2 ** probesFailed);
      const asked = Math.min(settings.longestRetryAfterMs, fault?.retryAfterMs ?? 0);
      const pauseMs = Math.max(doubled, asked);
      cause = fault?.faultClass ?? 'the probe was cut short';
      probesFailed += 1;
      nextProbeAt = Date.now() + pauseMs;
      return pauseMs;
    }),
  });
  policy.onBreak(() => {
    turn(false);
    const seconds = ((nextProbeAt - Date.now()) / 1_000).toFixed(1);
    say(`warning: breaker open: calls to ${model} fail (${cause}); the next one is tried in ${seconds} s`);
  });
  policy.onHalfOpen(() => say(`breaker half-open: one call to ${model} is tried`));
  policy.onReset(() => {
    probesFailed = 0;
    turn(true);
    say(`breaker closed: calls to ${model} get through again`);
  });
  return { policy, nextProbeAt: () => nextProbeAt, since: () => since, cause: () => cause };
}

function snapshot(model: string, circuit: Circuit): BreakerState {
  const { policy } = circuit;
  const since = circuit.since();
  switch (policy.state) {
    case CircuitState.Open:
      return { model, state: 'open', since, cause: circuit.cause(), nextProbeAt: circuit.nextProbeAt() };
    case CircuitState.HalfOpen:
      return { model, state: 'half_open', since, cause: circuit.cause(), nextProbeAt: null };
    default:
      return { model, state: 'closed', since, cause: null, nextProbeAt: null };
  }
}
