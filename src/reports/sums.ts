import { addDecimals } from '../domain/decimal.js';
import { Samples } from '../planner/samples.js';

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

/** As text that `addPacked` reads. Samples must be whole numbers: kept are the steps between them. */
export function packed(sums: object): string {
  return JSON.stringify(pack(sums as Sums));
}

/**
 * Adds what `packed` made of another measure of the same kind, without unpacking it first: a month is hundreds of these.
 * @throws SyntaxError for other text.
 */
export function addPacked(sums: object, text: string): void {
  addAll(sums, JSON.parse(text));
}

type Packed =
  | number
  | string
  | { readonly $samples: string }
  | { readonly $map: readonly (readonly [string | number, Packed])[] }
  | readonly (Packed | null)[]
  | { readonly [name: string]: Packed };

function pack(value: Summand): Packed {
  if (typeof value !== 'object') return value;
  if (value instanceof Samples) return { $samples: textOf(value) };
  if (value instanceof Map) return { $map: [...value].map(([name, each]) => [name, pack(each)]) };
  // Array.from, since a place may be empty.
  if (Array.isArray(value)) return Array.from(value, (each) => (each === undefined ? null : pack(each)));
  return Object.fromEntries(Object.entries(value as Named).map(([name, each]) => [name, pack(each)]));
}

function addAll(sums: object, packed: object): void {
  if (sums instanceof Map) {
    for (const [name, each] of (packed as { $map: [string | number, Packed][] }).$map)
      sums.set(name, added(sums.get(name), each));
    return;
  }
  const own = sums as Record<string, Summand>;
  for (const name in packed) {
    const each = (packed as Record<string, Packed | null>)[name];
    // Null: a place that was empty.
    if (each !== null && each !== undefined) own[name] = added(own[name], each);
  }
}

function added(own: Summand | undefined, more: Packed): Summand {
  if (typeof more === 'number') return ((own as number | undefined) ?? 0) + more;
  if (typeof more === 'string') return own === undefined ? more : addDecimals(own as string, more);
  const all = (own ?? nothingLike(more)) as object;
  if (all instanceof Samples) addText(all, (more as { $samples: string }).$samples);
  else addAll(all, more);
  return all as Summand;
}

function nothingLike(value: object): object {
  if ('$samples' in value) return new Samples();
  if ('$map' in value) return new Map();
  return Array.isArray(value) ? [] : {};
}

/** A step is written five bits a letter, the least first; letters of the second half say that more follow. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const bitsOf = new Uint8Array(128);
for (const [bits, letter] of [...letters].entries()) bitsOf[letter.charCodeAt(0)] = bits;

function textOf(samples: Samples): string {
  let [text, last] = ['', 0];
  for (const value of samples.all()) {
    const step = value - last;
    last = value;
    // Steps back are the odd ones.
    let rest = step < 0 ? -2 * step - 1 : 2 * step;
    for (; rest >= 32; rest = Math.floor(rest / 32)) text += letters[32 + (rest % 32)];
    text += letters[rest];
  }
  return text;
}

function addText(samples: Samples, text: string): void {
  let [value, step, worth] = [0, 0, 1];
  for (let index = 0; index < text.length; index += 1) {
    const bits = bitsOf[text.charCodeAt(index)] as number;
    step += (bits % 32) * worth;
    worth *= 32;
    if (bits >= 32) continue;
    value += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
    samples.add(value);
    [step, worth] = [0, 1];
  }
}
