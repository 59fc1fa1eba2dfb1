import { addDecimals } from '../domain/decimal.js';
import { Samples, Series } from '../planner/samples.js';

/**
 * What a measure holds of the rows that went by: numbers and amounts (decimal text), which add up, and samples, which are
 * put together, each by name, by place, or by what is counted. So what two measures of the same kind hold can be added,
 * and is what one of them would hold had all rows gone by it.
 */
type Sums = Named | readonly (Summand | undefined)[] | ReadonlyMap<string | number, Summand>;
type Summand = number | string | Samples | Sums;
interface Named {
  readonly [name: string]: Summand;
}

/** What a measure held, kept. */
export interface PackedSums {
  /** Everything but samples, as JSON that says where those lie. */
  readonly sums: string;
  /** One list after the other, each in as few bytes a number as it needs, in the machine's own byte order. */
  readonly samples: Uint8Array;
}

/** As `addPacked` reads it. */
export function packed(sums: object): PackedSums {
  const shelf = new Shelf();
  return { sums: JSON.stringify(pack(sums as Sums, shelf)), samples: shelf.bytes() };
}

/**
 * Adds what `packed` made of another measure of the same kind, without unpacking it first. Samples are not read one by
 * one: of a month there are hundreds of thousands.
 * @throws SyntaxError for other text.
 */
export function addPacked(sums: object, { sums: text, samples }: PackedSums): void {
  // A copy, which begins where numbers of eight bytes may begin.
  addAll(sums, JSON.parse(text), new Uint8Array(samples).buffer);
}

const kinds = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array };
type Width = keyof typeof kinds;

/** Where samples lie: from which byte, how many, how wide, and what to add to each. */
interface Place {
  readonly $samples: readonly [from: number, count: number, width: Width, base: number];
}

type Packed =
  | number
  | string
  | Place
  | { readonly $map: readonly (readonly [string | number, Packed])[] }
  | readonly (Packed | null)[]
  | { readonly [name: string]: Packed };

function pack(value: Summand, shelf: Shelf): Packed {
  if (typeof value !== 'object') return value;
  // Sorted once, here: lists of one day after the other are in order then, or nearly so, whenever they are looked at.
  if (value instanceof Samples) return shelf.put(value instanceof Series ? value.all() : value.sorted());
  if (value instanceof Map) return { $map: [...value].map(([name, each]) => [name, pack(each, shelf)]) };
  // Array.from, since a place may be empty.
  if (Array.isArray(value))
    return Array.from(value, (each) => (each === undefined ? null : pack(each, shelf)));
  return Object.fromEntries(Object.entries(value as Named).map(([name, each]) => [name, pack(each, shelf)]));
}

function addAll(sums: object, packed: object, samples: ArrayBuffer): void {
  if (sums instanceof Map) {
    for (const [name, each] of (packed as { $map: [string | number, Packed][] }).$map)
      sums.set(name, added(sums.get(name), each, samples));
    return;
  }
  const own = sums as Record<string, Summand>;
  for (const name in packed) {
    const each = (packed as Record<string, Packed | null>)[name];
    // Null: a place that was empty.
    if (each !== null && each !== undefined) own[name] = added(own[name], each, samples);
  }
}

function added(own: Summand | undefined, more: Packed, samples: ArrayBuffer): Summand {
  if (typeof more === 'number') return ((own as number | undefined) ?? 0) + more;
  if (typeof more === 'string') return own === undefined ? more : addDecimals(own as string, more);
  const all = (own ?? nothingLike(more)) as object;
  if (all instanceof Samples) {
    const [from, count, width, base] = (more as Place).$samples;
    if (count > 0) all.append(new kinds[width](samples, from, count), base);
  } else addAll(all, more, samples);
  return all as Summand;
}

function nothingLike(value: object): object {
  if ('$samples' in value) return new Samples();
  if ('$map' in value) return new Map();
  return Array.isArray(value) ? [] : {};
}

/** Lists of numbers behind one another. */
class Shelf {
  private readonly lists: Uint8Array[] = [];
  private used = 0;

  /** Numbers are kept as what they are above the least, which of instants of one day takes half as many bytes. */
  put(values: Float64Array): Place {
    const [width, base] = narrowest(values);
    const list = new kinds[width](values.length);
    for (let index = 0; index < values.length; index += 1) list[index] = (values[index] as number) - base;
    const from = this.used;
    this.lists.push(new Uint8Array(list.buffer));
    this.used += Math.ceil(list.byteLength / 8) * 8;
    return { $samples: [from, values.length, width, base] };
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.used);
    let from = 0;
    for (const list of this.lists) {
      all.set(list, from);
      from += Math.ceil(list.byteLength / 8) * 8;
    }
    return all;
  }
}

function narrowest(values: Float64Array): [Width, base: number] {
  let [least, most, isWhole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
    isWhole &&= Number.isSafeInteger(value);
  }
  if (values.length === 0) return [1, 0];
  const range = most - least;
  if (!isWhole || range >= 2 ** 32) return [8, 0];
  return [range < 2 ** 8 ? 1 : range < 2 ** 16 ? 2 : 4, least];
}
