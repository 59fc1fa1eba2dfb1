import { raw } from 'hono/html';

/** Of a column of a phone, and of a window between that and a desk. */
const [narrow, middle] = [320, 600];

/**
 * One of our own plots, which escape every text. Drawn anew for narrower columns, so that its words keep their size; styles
 * show the one that fits.
 */
export function Plot({ width, draw }: { readonly width: number; readonly draw: (width: number) => string }) {
  const isLong = width > middle;
  return (
    <div class={isLong ? 'plot-frame long' : 'plot-frame'}>
      <div class="at-wide">{raw(draw(width))}</div>
      {isLong ? <div class="at-middle">{raw(draw(middle))}</div> : null}
      <div class="at-narrow">{raw(draw(narrow))}</div>
    </div>
  );
}
