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
    <svg class="endstop" role="img" aria-label={says}>
      <rect x="0" y="4" width="100%" height="2" class="s-line" />
      <rect x="0" y="3" width={`${(share * 100).toFixed(1)}%`} height="4" class="s-accent" />
      <rect x="100%" y="0" width="5" height="10" class="s-paper" transform="translate(-5 0)" />
      <rect x="100%" y="0" width="3" height="10" class="s-ink" transform="translate(-3 0)" />
    </svg>
  );
}
