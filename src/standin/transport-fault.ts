import { type ApiFault, internalError, overloaded, rateLimited, spendLimitReached } from './api-fault.js';
import type { Behaviour, KnobName } from './behaviour.js';
import { roll } from './dice.js';

/** What goes wrong between model and caller. */
export type TransportFault =
  | {
      readonly kind: 'refused';
      readonly outcome: string;
      readonly fault: ApiFault;
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'html'; readonly outcome: string; readonly status: number }
  | { readonly kind: 'reset'; readonly outcome: string }
  | { readonly kind: 'slow_headers' }
  | { readonly kind: 'stalled_body' | 'half_body' | 'stream_error' };

const FAULTS: readonly (readonly [KnobName, (behaviour: Behaviour) => TransportFault])[] = [
  ['reset', () => ({ kind: 'reset', outcome: 'reset' })],
  [
    'rate429',
    ({ retryAfterSeconds }) => ({
      kind: 'refused',
      outcome: 'rate_limited',
      fault: rateLimited('This request would exceed the rate limit of your organization.'),
      retryAfterSeconds,
    }),
  ],
  ['rateSpendLimit', () => ({ kind: 'refused', outcome: 'spend_limit', fault: spendLimitReached() })],
  ['rate529', () => ({ kind: 'refused', outcome: 'overloaded', fault: overloaded() })],
  ['rate500', () => ({ kind: 'refused', outcome: 'server_error', fault: internalError() })],
  ['rate502html', () => ({ kind: 'html', outcome: 'bad_gateway', status: 502 })],
  ['rate200html', () => ({ kind: 'html', outcome: 'html_instead', status: 200 })],
  ['stalledBody', () => ({ kind: 'stalled_body' })],
  ['halfBody', () => ({ kind: 'half_body' })],
  ['streamError', () => ({ kind: 'stream_error' })],
  ['slowHeaders', () => ({ kind: 'slow_headers' })],
];

/**
 * The fault that the `ordinal`-th request about these documents meets, or null. It hangs on seed, document and
 * ordinal only, so a rerun meets the same faults whatever else is going on.
 */
export function transportFault(
  behaviour: Behaviour,
  document: string,
  ordinal: number,
): TransportFault | null {
  for (const [name, make] of FAULTS) {
    if (roll(behaviour.seed, document, ordinal, name) < behaviour[name]) return make(behaviour);
  }
  return null;
}
