import type { Cell, Line } from './page-lines.js';

/** A label on the page with what stands beside or below it; null: nothing does, the space was left blank. */
export interface LabelledValue {
  readonly label: string;
  readonly value: string | null;
  /** How sure the layout makes it, at most 1. */
  readonly strength: number;
  readonly line: number;
}

/** Underscores, dots, dashes or an empty box: a space left to fill in. */
const FILL = /^[\s_.…\-–—[\]]*$/;
const LABEL = /^([^:]{1,60}?)\s*:\s*(.*)$/;
/** A line of JSON in a document is content, never a form. */
const JSON_LIKE = /^[{[\]}"]|":/;

/**
 * Every label and value the page layout suggests: "label: value", a label with a value in the next cell, a label with
 * its value in the line below, and a row of labels over a row of values.
 * `isLabel` knows the labels looked for; `used` holds lines that belong to tables.
 */
export function labelledValues(
  lines: readonly Line[],
  isLabel: (text: string) => boolean,
  used: ReadonlySet<number>,
): LabelledValue[] {
  const found: LabelledValue[] = [];
  for (const [index, line] of lines.entries()) {
    if (used.has(index) || line.cells.some((cell) => JSON_LIKE.test(cell.text))) continue;
    const heading = line.cells.filter((cell) => isLabel(cell.text)).length > 1 && !line.cells.some(hasColon);
    const below = used.has(index + 1) ? undefined : lines[index + 1];
    for (const [position, cell] of line.cells.entries()) {
      const next = line.cells[position + 1];
      const pairs = hasColon(cell)
        ? withColon(cell, next, below, isLabel)
        : withoutColon(cell, heading ? undefined : next, below, isLabel);
      found.push(...pairs.map((pair) => ({ ...pair, line: index })));
    }
  }
  return found;
}

type Pair = Omit<LabelledValue, 'line'>;

function hasColon(cell: Cell): boolean {
  return LABEL.test(cell.text) && !/^\d|:\/\//.test(cell.text);
}

function withColon(
  cell: Cell,
  next: Cell | undefined,
  below: Line | undefined,
  isLabel: (text: string) => boolean,
): Pair[] {
  const [, label = '', inline = ''] = LABEL.exec(cell.text) ?? [];
  if (!FILL.test(inline)) return [...rateInLabel(label, 1), { label, value: inline, strength: 1 }];
  const pairs: Pair[] = [];
  const beside = next && !isLabelCell(next, isLabel) && !FILL.test(next.text) ? next : undefined;
  if (beside) pairs.push({ label, value: beside.text, strength: 1 }, ...rateInLabel(label, 1));
  const under = inline === '' && !next ? cellUnder(cell, below, isLabel) : undefined;
  if (!beside && under) pairs.push({ label, value: under.text, strength: 0.9 });
  if (!beside) pairs.push({ label, value: null, strength: 0.85 });
  return pairs;
}

function withoutColon(
  cell: Cell,
  next: Cell | undefined,
  below: Line | undefined,
  isLabel: (text: string) => boolean,
): Pair[] {
  const label = cell.text;
  const pairs: Pair[] = rateInLabel(label, 0.9);
  if (next && FILL.test(next.text)) pairs.push({ label, value: null, strength: 0.9 });
  else if (next && !isLabelCell(next, isLabel)) pairs.push({ label, value: next.text, strength: 0.95 });
  const under = cellUnder(cell, below, isLabel);
  if (under) pairs.push({ label, value: FILL.test(under.text) ? null : under.text, strength: 0.85 });
  const glued = /^(.*\p{L}[.#]?)\s+(\S*\d\S*)$/u.exec(label);
  if (glued) pairs.push({ label: glued[1] ?? '', value: glued[2] ?? '', strength: 0.9 });
  return pairs;
}

/** "VAT 19 %" names a rate inside the label of an amount. */
function rateInLabel(label: string, strength: number): Pair[] {
  const rate = /(\d+(?:[.,]\d+)?)\s*%/.exec(label);
  return rate ? [{ label: `${label.replace(rate[0], '')} rate`, value: rate[1] ?? '', strength }] : [];
}

/** The cell of the next line that stands under `cell`, unless it is a label itself. */
function cellUnder(
  cell: Cell,
  below: Line | undefined,
  isLabel: (text: string) => boolean,
): Cell | undefined {
  const under = below?.cells.find((each) => each.start < cell.end && each.end > cell.start);
  return under && !isLabelCell(under, isLabel) ? under : undefined;
}

function isLabelCell(cell: Cell, isLabel: (text: string) => boolean): boolean {
  return hasColon(cell) || isLabel(cell.text);
}
