/** Something that is used up, running towards the bar that ends it. Nothing is ever drawn past the bar. */
export function Bound({
  used,
  most,
  says,
}: {
  readonly used: number;
  readonly most: number;
  /** The same in words, for whoever cannot see it. */
  readonly says: string;
}) {
  const share = most <= 0 ? 1 : Math.min(1, Math.max(0, used / most));
  return (
    <svg class="endstop" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={says}>
      <rect x="0" y="4" width="988" height="2" class="s-line" />
      <rect x="0" y="3" width={Math.round(988 * share)} height="4" class="s-accent" />
      <rect x="988" y="0" width="12" height="10" class="s-ink" />
    </svg>
  );
}
