/** Attribute values as they stand in the markup; numbers are rounded to a tenth. */
export type Attributes = Readonly<Record<string, string | number>>;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as markup: whatever it holds, it opens no element and ends no attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** One element as markup. Children are markup already: texts go through `escaped` first. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? tenth(value) : escaped(value)}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

export type Anchor = 'start' | 'middle' | 'end';

/** A line of text at a point; `look` is one of the text classes of `plotStyle`. */
export function label(x: number, y: number, text: string, look = '', anchor: Anchor = 'start'): string {
  return element(
    'text',
    { x, y, class: `plot-text ${look}`.trimEnd(), 'text-anchor': anchor },
    escaped(text),
  );
}

/** An instant as it stands in a drawing: a script of the page may write it in the reader's zone. */
export interface ClockText {
  /** In UTC: "14:00", or "24 Nov" as a date. */
  readonly name: string;
  readonly form?: 'clock' | 'date';
  /** The same instant as ISO 8601; left out where the name says no instant. */
  readonly instant?: string;
}

/** A line of text that begins with an instant. */
export function clockLabel(
  x: number,
  y: number,
  { name, form = 'clock', instant }: ClockText,
  after = '',
  anchor: Anchor = 'middle',
): string {
  if (instant === undefined) return label(x, y, `${name}${after}`, '', anchor);
  const clock = element('tspan', { 'data-clock': instant, 'data-form': form }, escaped(name));
  return element('text', { x, y, class: 'plot-text', 'text-anchor': anchor }, clock, escaped(after));
}

export function line(x1: number, y1: number, x2: number, y2: number, look: string): string {
  return element('line', { x1, y1, x2, y2, class: look });
}

export function rectangle(x: number, y: number, width: number, height: number, look: string): string {
  return element('rect', { x, y, width: Math.max(0, width), height: Math.max(0, height), class: look });
}

/** A line through points; null breaks it. */
export function path(points: readonly (readonly [x: number, y: number] | null)[], look: string): string {
  let isBroken = true;
  const steps = points.flatMap((point) => {
    const command = isBroken ? 'M' : 'L';
    isBroken = point === null;
    return point === null ? [] : [`${command}${tenth(point[0])} ${tenth(point[1])}`];
  });
  return element('path', { d: steps.join(''), class: look });
}

/** The whole drawing at its own size. `says`: its numbers in words, for whoever does not see it. */
export function drawing(width: number, height: number, says: string, parts: readonly string[]): string {
  const size = { width, height, viewBox: `0 0 ${tenth(width)} ${tenth(height)}` };
  return element('svg', { class: 'plot', role: 'img', ...size, 'aria-label': says }, ...parts);
}

function tenth(value: number): string {
  return String(Math.round(value * 10) / 10);
}
