import type { StoredJson } from '../ports/attempt-store.js';
import type { Field, Fields } from '../spec/field.js';
import type { Evidence } from '../verification/evidence.js';
import { join, leaves, tokensOf } from '../verification/pointer.js';

/**
 * What stands in a field: a value; the honest answers `not_printed` (the document has no such field) and `blank` (it has,
 * with nothing in it); `null`; or `missing`, when the candidate has no such field at all.
 */
export type FieldState = 'value' | 'not_printed' | 'blank' | 'null' | 'missing';

/** One field of a candidate beside what the document prints. */
export interface FieldReading {
  readonly pointer: string;
  /** What a person calls it; null for a field that the spec does not have. */
  readonly title: string | null;
  readonly state: FieldState;
  /** As normalised; null unless there is a value. */
  readonly value: StoredJson;
  /** Where it stands and how it is printed there; empty when it was not found or not looked for. */
  readonly evidence: readonly Evidence[];
  /** No text layer could be asked. */
  readonly ungrounded: boolean;
  /** Ids of the rules that do not hold here. */
  readonly unmet: readonly string[];
}

/** How a field's value changed between attempts; an attempt that had no such field is left out. */
export interface FieldChange {
  readonly pointer: string;
  readonly title: string | null;
  readonly values: readonly { readonly attempt: number; readonly value: StoredJson }[];
}

interface Judged {
  readonly candidate: StoredJson;
  readonly evidence: readonly Evidence[];
  readonly ungrounded: readonly string[];
  readonly problems: readonly { readonly rule: string; readonly pointer: string }[];
}

/** Every field of a candidate in the order of the spec, those it lacks included; then those the spec does not have. */
export function readFields(fields: Fields, judged: Judged): readonly FieldReading[] {
  const known = fieldsOf(fields, judged.candidate, '');
  const pointers = new Set(known.map(({ pointer }) => pointer));
  const unknown = leaves(judged.candidate)
    .filter(({ pointer }) => pointer !== '' && ![...ancestors(pointer)].some((above) => pointers.has(above)))
    .map(({ pointer, value }) => ({ pointer, field: null, value: value as StoredJson }));
  return [...known, ...unknown].map(({ pointer, field, value }) => {
    const state = stateOf(field, value);
    return {
      pointer,
      title: field?.title ?? null,
      state,
      value: state === 'value' ? (value ?? null) : null,
      evidence: judged.evidence.filter((found) => found.pointer === pointer),
      ungrounded: judged.ungrounded.includes(pointer),
      unmet: [...new Set(judged.problems.filter((p) => p.pointer === pointer).map(({ rule }) => rule))],
    };
  });
}

/** What differs between the candidates of a run, field by field; nothing when there are fewer than two. */
export function diffCandidates(
  fields: Fields,
  candidates: readonly { readonly attempt: number; readonly candidate: StoredJson }[],
): readonly FieldChange[] {
  const byPointer = new Map<string, { readonly attempt: number; readonly value: StoredJson }[]>();
  for (const { attempt, candidate } of candidates) {
    for (const { pointer, value } of leaves(candidate)) {
      const values = byPointer.get(pointer) ?? [];
      values.push({ attempt, value: value as StoredJson });
      byPointer.set(pointer, values);
    }
  }
  return [...byPointer]
    .filter(
      ([, values]) =>
        values.length < candidates.length ||
        new Set(values.map(({ value }) => JSON.stringify(value))).size > 1,
    )
    .map(([pointer, values]) => ({ pointer, title: titleAt(fields, pointer), values }));
}

/** The title of the field at a pointer, with the row's number where it is in a list; null when the spec has none. */
export function titleAt(fields: Fields, pointer: string): string | null {
  let inner: Fields | null = fields;
  const words: string[] = [];
  for (const token of tokensOf(pointer)) {
    const isRow = /^\d+$/.test(token) && words.length > 0;
    if (isRow) words.push(String(Number(token) + 1));
    else {
      const field: Field<unknown> | null =
        inner !== null && Object.hasOwn(inner, token) ? (inner[token] ?? null) : null;
      if (field === null) return null;
      words.push(field.title);
      inner = field.children;
    }
  }
  return words.length === 0 ? null : words.join(' ');
}

interface Located {
  readonly pointer: string;
  readonly field: { readonly title: string; readonly asPrinted: boolean } | null;
  readonly value: StoredJson | undefined;
}

function fieldsOf(fields: Fields, value: StoredJson | undefined, at: string, above = ''): readonly Located[] {
  return Object.entries(fields).flatMap(([name, field]): readonly Located[] => {
    const pointer = join(at, name);
    const title = above === '' ? field.title : `${above} ${field.title}`;
    const held = childOf(value, name);
    if (field.children === null)
      return [{ pointer, field: { title, asPrinted: field.asPrinted }, value: held }];
    if (field.kind !== 'list') return fieldsOf(field.children, held, pointer, title);
    const { children } = field;
    if (!Array.isArray(held) || held.length === 0)
      return [{ pointer, field: { title, asPrinted: false }, value: Array.isArray(held) ? undefined : held }];
    return held.flatMap((row: StoredJson, index) =>
      fieldsOf(children, row, join(pointer, index), `${title} ${index + 1}`),
    );
  });
}

function childOf(value: StoredJson | undefined, name: string): StoredJson | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: StoredJson })[name] : undefined;
}

function stateOf(field: Located['field'], value: StoredJson | undefined): FieldState {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (field?.asPrinted === true && (value === 'not_printed' || value === 'blank')) return value;
  return 'value';
}

/** The pointer itself and everything it is inside of. */
function* ancestors(pointer: string): Generator<string> {
  for (let above = pointer; above !== ''; above = above.slice(0, above.lastIndexOf('/'))) yield above;
}
