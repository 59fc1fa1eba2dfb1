import { contains, type Found, lowerBound, type Prints } from './locate.js';
import type { Place } from './places.js';
import { firstAt } from './postings.js';
import type { TextIndex } from './text-index.js';

/** A value that is printed, where it was found first, and what it takes to find it elsewhere. */
export interface FoundValue {
  readonly pointer: string;
  readonly prints: Prints;
  readonly found: Found;
  /** Stretches at its labels, where it was found at one: it stays in them. */
  readonly within: readonly Place[] | null;
}

/** Lines that a row may be on, tried for the value that is printed least often. */
const maximumLines = 8;
/** Lines and places tried for one value: more of them are the text's filling. */
const maximumTries = 100;
/** A row of several lines: how many of them below the one that holds most of it. */
const linesBelow = 3;

/**
 * Gives each value a print of its own, as long as there are enough: what stands at a label stays there; each row of a
 * list gets the line that holds most of it, rows and lines in the same order; values of one size within a row stand in
 * the order of the columns, which is that of rows in which it is plain, or else of the fields; the rest takes what is
 * left. `values` are in the order of the record's fields. Time grows with the number of values, not with the text.
 */
export function settlePlaces(
  index: TextIndex,
  values: readonly FoundValue[],
): ReadonlyMap<FoundValue, Found> {
  const places = new Places(index);
  const inLists = new Map<string, Map<string, FoundValue[]>>();
  const rest: FoundValue[] = [];
  for (const value of values) {
    const [, list, row] = /^(.*?)\/(\d+)(?:\/|$)/.exec(value.pointer) ?? [];
    if (value.within !== null) places.take(value, places.atLabel(value));
    else if (list === undefined || row === undefined) rest.push(value);
    else push(rowsOf(inLists, list), row, value);
  }
  const scattered = [...inLists.values()].flatMap((rows) => placeRows(places, [...rows.values()]));
  for (const { value, line } of scattered) places.take(value, places.near(value, line));
  for (const value of rest) places.take(value, places.anywhere(value));
  return places.settled;
}

function rowsOf(lists: Map<string, Map<string, FoundValue[]>>, list: string): Map<string, FoundValue[]> {
  const known = lists.get(list) ?? new Map<string, FoundValue[]>();
  lists.set(list, known);
  return known;
}

function push(rows: Map<string, FoundValue[]>, row: string, value: FoundValue): void {
  const known = rows.get(row);
  if (known === undefined) rows.set(row, [value]);
  else known.push(value);
}

/** A place in the reading order: a line of the whole text, and an offset into its page. */
interface Spot {
  readonly line: number;
  readonly end: number;
}

const top: Spot = { line: 0, end: 0 };

/** Which print is whose. */
class Places {
  readonly index: TextIndex;
  readonly settled = new Map<FoundValue, Found>();
  private readonly owners = new Map<string, string>();

  constructor(index: TextIndex) {
    this.index = index;
  }

  take(value: FoundValue, place: Found): void {
    this.settled.set(value, place);
    this.owners.set(keyOf(place), value.pointer);
  }

  isFree(place: Place, { pointer }: FoundValue): boolean {
    const owner = this.owners.get(keyOf(place));
    return owner === undefined || owner === pointer;
  }

  /** Prints that no other value has, from a spot on, up to the end of line `last`. */
  *free(
    value: FoundValue,
    from: Spot,
    last: number = this.index.lineCount,
  ): Iterable<{ readonly place: Found; readonly line: number }> {
    const { lines } = value.prints;
    let tries = 0;
    for (let at = lowerBound(lines, from.line); at < lines.length; at += 1) {
      const line = lines[at] as number;
      if (line > last) return;
      const found = value.prints.on(line);
      let each =
        line === from.line
          ? firstAt(0, found.length, (place) => (found[place] as Found).start >= from.end)
          : 0;
      for (; each < found.length; each += 1) {
        const place = found[each] as Found;
        if (this.isFree(place, value)) yield { place, line };
        tries += 1;
        if (tries >= maximumTries) return;
      }
      tries += 1;
      if (tries >= maximumTries) return;
    }
  }

  atLabel(value: FoundValue): Found {
    const { found, within } = value;
    if (this.isFree(found, value)) return found;
    for (const { place } of this.free(value, this.spotOf(found))) {
      if (within?.some((area) => contains(area, place))) return place;
    }
    return found;
  }

  /** In the line of its row or one of the next; else as if it were in no row. */
  near(value: FoundValue, line: number | null): Found {
    if (line === null) return this.anywhere(value);
    return this.first(value, { line, end: 0 }, line + linesBelow) ?? this.anywhere(value);
  }

  anywhere(value: FoundValue): Found {
    const { found } = value;
    if (this.isFree(found, value)) return found;
    return this.first(value, this.spotOf(found)) ?? this.first(value, top) ?? found;
  }

  private first(value: FoundValue, from: Spot, last?: number): Found | null {
    for (const { place } of this.free(value, from, last)) return place;
    return null;
  }

  private spotOf({ page, start, end }: Place): Spot {
    return { line: this.index.lineAt(page, start), end };
  }
}

/** A row on the line that it was found on, each value with its print there, or without any. */
interface PlacedRow {
  readonly line: number | null;
  readonly cells: readonly Cell[];
}

interface Cell {
  readonly value: FoundValue;
  /** Free places on the line, in reading order. */
  readonly choices: readonly Found[];
  readonly place: Found | null;
}

/** Places the rows of one list. Returns the values that are not printed on their row's line. */
function placeRows(
  places: Places,
  rows: readonly (readonly FoundValue[])[],
): readonly { readonly value: FoundValue; readonly line: number | null }[] {
  let from = top;
  const placed = rows.map((row) => {
    const found = rowFrom(places, row, from) ?? rowFrom(places, row, top);
    if (found === null) return { line: null, cells: row.map(unplaced) };
    for (const { value, place } of found.cells) if (place !== null) places.take(value, place);
    from = { line: found.line, end: Math.max(...found.cells.map(({ place }) => place?.end ?? 0)) };
    return found;
  });
  const order = columnOrder(places.index, placed);
  return placed.flatMap((row) => {
    for (const { value, place } of inColumns(row, order)) places.take(value, place);
    return row.cells.flatMap(({ value, place }) => (place === null ? [{ value, line: row.line }] : []));
  });
}

const unplaced = (value: FoundValue): Cell => ({ value, choices: [], place: null });

/** The line from a spot on that holds most of a row; the first of equals. Null: none holds any of it. */
function rowFrom(
  places: Places,
  row: readonly FoundValue[],
  from: Spot,
): (PlacedRow & { readonly line: number }) | null {
  const rarest = row.reduce((one, other) =>
    other.prints.lines.length < one.prints.lines.length ? other : one,
  );
  let best: (PlacedRow & { readonly line: number }) | null = null;
  let most = 0;
  const tried = new Set<number>();
  for (const { line } of places.free(rarest, from)) {
    if (tried.has(line)) continue;
    tried.add(line);
    const cells = cellsOn(places, row, line === from.line ? from : { line, end: 0 });
    const count = cells.filter(({ place }) => place !== null).length;
    if (count > most) [best, most] = [{ line, cells }, count];
    if (most === row.length || tried.size === maximumLines) break;
  }
  return best;
}

/** Each value's first print on the line of a spot, behind it, that no value before it has. */
function cellsOn(places: Places, row: readonly FoundValue[], from: Spot): readonly Cell[] {
  const used = new Set<string>();
  return row.map((value) => {
    const choices: Found[] = [];
    for (const { place } of places.free(value, from, from.line)) {
      choices.push(place);
      // The others of the row can have that many.
      if (choices.length > row.length) break;
    }
    const place = choices.find((choice) => !used.has(keyOf(choice))) ?? null;
    if (place !== null) used.add(keyOf(place));
    return { value, choices, place };
  });
}

/** How far into their lines the values of each field stand, on average, in rows that leave no doubt which is which. */
function columnOrder(index: TextIndex, rows: readonly PlacedRow[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { cells, line } of rows) {
    if (line === null) continue;
    const { start } = index.line(line).line;
    for (const { value, choices, place } of cells) {
      if (place === null || choices.length !== 1) continue;
      const known = sums.get(fieldOf(value)) ?? { sum: 0, count: 0 };
      sums.set(fieldOf(value), { sum: known.sum + place.start - start, count: known.count + 1 });
    }
  }
  return new Map([...sums].map(([field, { sum, count }]) => [field, sum / count]));
}

/** Values of a row that could change places, in the order of their columns where it is known. */
function inColumns(
  { cells }: PlacedRow,
  order: ReadonlyMap<string, number>,
): readonly { readonly value: FoundValue; readonly place: Found }[] {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const [opening] = cell.choices;
    if (opening === undefined || cell.place === null || cell.choices.length < 2) continue;
    groups.set(keyOf(opening), [...(groups.get(keyOf(opening)) ?? []), cell]);
  }
  return [...groups.values()].flatMap((group) => {
    const columns = group.map(({ value }) => order.get(fieldOf(value)));
    if (group.length < 2 || columns.includes(undefined)) return [];
    const taken = group.map(({ place }) => place as Found).sort((one, other) => one.start - other.start);
    const inOrder = group.toSorted(
      (one, other) => (order.get(fieldOf(one.value)) as number) - (order.get(fieldOf(other.value)) as number),
    );
    return inOrder.map(({ value }, at) => ({ value, place: taken[at] as Found }));
  });
}

/** A column of a list: its pointers without the row's number. */
function fieldOf({ pointer }: FoundValue): string {
  return pointer.replace(/\/\d+(?=\/|$)/, '/*');
}

function keyOf({ page, start }: Place): string {
  return `${page}:${start}`;
}
