import type { BatchView } from '../../application/views/batch-view.js';
import { count } from './format.js';

/** Documents of a batch by where they stand, towards its end. */
export function DocumentBar({ batch }: { readonly batch: BatchView }) {
  const { verified, unverified, refused, underWay, documents } = batch;
  const share = (part: number) => (documents === 0 ? 0 : (part / documents) * 100);
  const parts = [
    ['s-ok', share(verified)],
    ['s-ink', share(unverified + refused)],
    ['s-wait', share(underWay)],
  ] as const;
  let at = 0;
  return (
    <svg
      class="endstop tall"
      role="img"
      aria-label={`Of ${count(documents)}: ${count(verified)} verified, ${count(unverified)} exhausted, ${count(underWay)} running`}
    >
      <rect y="7" width="100%" height="2" class="s-line" />
      {parts.map(([look, width]) => {
        const from = at;
        at += width;
        return width === 0 ? null : (
          <rect x={`${from.toFixed(2)}%`} y="2" width={`${width.toFixed(2)}%`} height="12" class={look} />
        );
      })}
      <rect x="100%" width="3" height="16" class="s-ink" transform="translate(-3 0)" />
    </svg>
  );
}

/** Tokens burnt towards the budget; where the rest is projected to end, as a hollow mark before the endstop. */
export function BurnBar({ batch }: { readonly batch: BatchView }) {
  const { tokens, budgetTokens, projectedTokens } = batch;
  if (budgetTokens === null) return null;
  const share = (part: number) => Math.min(100, (part / Math.max(1, budgetTokens)) * 100).toFixed(2);
  const projected = projectedTokens === null ? '' : `, ${count(projectedTokens)} projected`;
  return (
    <svg
      class="endstop tall"
      role="img"
      aria-label={`${count(tokens)} of ${count(budgetTokens)} tokens burnt${projected}`}
    >
      <rect y="7" width="100%" height="2" class="s-line" />
      {projectedTokens === null ? null : (
        <rect y="4.5" width={`${share(projectedTokens)}%`} height="7" class="s-wait" />
      )}
      <rect y="4" width={`${share(tokens)}%`} height="8" class="s-accent" />
      <rect x="100%" width="3" height="16" class="s-ink" transform="translate(-3 0)" />
    </svg>
  );
}

/** What the fillings of both bars stand for. */
export function BarKey() {
  const parts = [
    ['s-ok', 'verified'],
    ['s-ink', 'exhausted'],
    ['s-wait', 'running, or projected'],
    ['s-accent', 'tokens burnt'],
  ] as const;
  return (
    <p class="key" aria-hidden="true">
      {parts.map(([look, word]) => (
        <span>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect x="0.5" y="0.5" width="19" height="9" class={look} />
          </svg>
          {word}
        </span>
      ))}
      <span>the bar at the end: all documents; the budget</span>
    </p>
  );
}
