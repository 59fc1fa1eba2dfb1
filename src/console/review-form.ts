import type { Attempt, StoredJson } from '../ports/attempt-store.js';
import type { Field, Fields } from '../spec/field.js';
import type { Spec } from '../spec/spec.js';
import type { Evidence } from '../verification/evidence.js';
import { get, join } from '../verification/pointer.js';

/** What somebody may say of a field: a value, or one of the two honest absences. Nothing said yet is `missing`. */
export type Said = 'value' | 'not_printed' | 'blank' | 'missing';

/** How a field is printed, as the newest attempt that found it read it. */
export interface Printed extends Evidence {
  readonly attempt: number;
  /** What it was read as: what "accept as printed" puts in. */
  readonly value: string;
}

/** One control of the form. */
export interface FormField {
  readonly kind: 'field';
  readonly pointer: string;
  readonly title: string;
  readonly field: Field<unknown>;
  readonly said: Said;
  readonly text: string;
  readonly printed: Printed | null;
}

/** A list of rows with a column for each of their fields. */
export interface FormList {
  readonly kind: 'list';
  readonly pointer: string;
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly field: Field<unknown> }[];
  readonly rows: readonly { readonly pointer: string; readonly cells: readonly FormField[] }[];
}

/** A part that has no controls of its own, such as a list inside of a row: its JSON. */
export interface FormJson {
  readonly kind: 'json';
  readonly pointer: string;
  readonly title: string;
  readonly text: string;
}

export type FormNode = FormField | FormList | FormJson;

/** The form for some values, in the order of the spec; fields that the values lack are there, too. */
export function formOf(spec: Spec, values: StoredJson, attempts: readonly Attempt[]): readonly FormNode[] {
  return nodesOf(spec.fields, values, '', '', attempts);
}

function nodesOf(
  fields: Fields,
  values: StoredJson,
  at: string,
  above: string,
  attempts: readonly Attempt[],
): readonly FormNode[] {
  return Object.entries(fields).flatMap(([name, field]): readonly FormNode[] => {
    const pointer = join(at, name);
    const title = above === '' ? field.title : `${above} ${field.title}`;
    if (field.children === null) return [fieldNode(field, pointer, title, values, attempts)];
    if (field.kind === 'record') return nodesOf(field.children, values, pointer, title, attempts);
    return [listNode(field.children, pointer, title, values, attempts)];
  });
}

function listNode(
  children: Fields,
  pointer: string,
  title: string,
  values: StoredJson,
  attempts: readonly Attempt[],
): FormNode {
  const columns = Object.entries(children).map(([name, field]) => ({ name, field }));
  const held = get(values, pointer);
  if (columns.some(({ field }) => field.children !== null)) {
    return { kind: 'json', pointer, title, text: JSON.stringify(held ?? [], null, 2) };
  }
  const count = Array.isArray(held) ? held.length : 0;
  const rows = Array.from({ length: count }, (_, index) => {
    const row = join(pointer, index);
    const cells = columns.map(({ name, field }) =>
      fieldNode(field, join(row, name), `${field.title}, row ${index + 1}`, values, attempts),
    );
    return { pointer: row, cells };
  });
  return { kind: 'list', pointer, title, columns, rows };
}

function fieldNode(
  field: Field<unknown>,
  pointer: string,
  title: string,
  values: StoredJson,
  attempts: readonly Attempt[],
): FormField {
  const held = get(values, pointer);
  const said = saidOf(field, held);
  const text = said === 'value' ? (typeof held === 'string' ? held : JSON.stringify(held)) : '';
  return { kind: 'field', pointer, title, field, said, text, printed: printedOf(pointer, attempts) };
}

function saidOf(field: Field<unknown>, held: unknown): Said {
  if (held === undefined || held === null) return 'missing';
  return field.asPrinted && (held === 'not_printed' || held === 'blank') ? held : 'value';
}

/** Newest first: a later attempt read the page with an earlier one's mistake in mind. */
function printedOf(pointer: string, attempts: readonly Attempt[]): Printed | null {
  for (const { evidence, candidate, report } of attempts.toReversed()) {
    const found = evidence.find((place) => place.pointer === pointer);
    const value = get(candidate, pointer);
    if (found !== undefined && typeof value === 'string') {
      return { ...found, attempt: report.attempt, value };
    }
  }
  return null;
}

/** Names of the form's controls: `v` for a value, `s` for what is said of it, `j` for JSON, each before its pointer. */
export type Posted = Readonly<Record<string, string | readonly string[]>>;

/**
 * The record that a form holds, by the spec's fields. What is empty is left out, rows that were taken away are gone, and
 * the rest of a list closes up in the order of the form. Of several controls of one name the first counts.
 */
export function recordOf(spec: Spec, posted: Posted): StoredJson {
  return readFields(spec.fields, '', posted);
}

function readFields(fields: Fields, at: string, posted: Posted): { readonly [key: string]: StoredJson } {
  const read: Record<string, StoredJson> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = readNode(field, join(at, name), posted);
    if (value !== undefined) read[name] = value;
  }
  return read;
}

function readNode(field: Field<unknown>, pointer: string, posted: Posted): StoredJson | undefined {
  const { children, kind, asPrinted } = field;
  if (children === null) {
    const said = first(posted, `s${pointer}`);
    if (asPrinted && (said === 'not_printed' || said === 'blank')) return said;
    const text = first(posted, `v${pointer}`)?.trim();
    return text === undefined || text === '' ? undefined : text;
  }
  if (kind === 'record') return readFields(children, pointer, posted);
  const json = first(posted, `j${pointer}`);
  if (json !== undefined) return parsed(json);
  return rowsOf(pointer, posted).map((row) => readFields(children, row, posted));
}

/** Rows in the order in which the form has them, whatever their numbers. */
function rowsOf(pointer: string, posted: Posted): readonly string[] {
  const rows = new Set<string>();
  for (const name of Object.keys(posted)) {
    if (!name.startsWith(`v${pointer}/`) && !name.startsWith(`s${pointer}/`)) continue;
    const token = name.slice(pointer.length + 2).split('/')[0];
    if (token !== undefined && /^[a-z0-9]{1,12}$/.test(token)) rows.add(join(pointer, token));
  }
  return [...rows];
}

function first(posted: Posted, name: string): string | undefined {
  const value = Object.hasOwn(posted, name) ? posted[name] : undefined;
  return typeof value === 'object' ? value[0] : value;
}

/** What is no JSON stays the text that it is: the rules then say that it is none of theirs. */
function parsed(json: string): StoredJson {
  try {
    return JSON.parse(json) as StoredJson;
  } catch {
    return json;
  }
}
