import type { StoredJson } from '../ports/attempt-store.js';
import type { StoredRecord } from '../ports/record-store.js';
import type { Field, Fields } from '../spec/field.js';
import { inFieldOrder } from '../spec/field-order.js';
import type { Spec } from '../spec/spec.js';
import { ApplicationError } from './application-error.js';
import { instant } from './views/instant.js';

/** A record as rows of one table: the same columns for every version of its spec. */
export interface RecordColumns {
  readonly titles: readonly string[];
  /** One row; with a flattened list, one for each of its items, and one without any when there is none. */
  rowsOf(record: StoredRecord, fileName: string | null): readonly (readonly string[])[];
}

type Path = readonly string[];
type JsonObject = { readonly [key: string]: StoredJson };

/** What is known of a record beside what it says. */
const facts: Readonly<Record<string, (record: StoredRecord, fileName: string | null) => string>> = {
  extraction_id: ({ key }) => key,
  run: ({ run }) => String(run),
  tenant: ({ tenant }) => tenant,
  spec: ({ specId }) => specId,
  schema_version: ({ schemaVersion }) => schemaVersion,
  prompt_version: ({ promptVersion }) => promptVersion,
  document_hash: ({ documentHash }) => documentHash,
  file_name: (_record, fileName) => fileName ?? '',
  verification_status: ({ status }) => status,
  recorded_at: ({ at }) => instant(at),
  unmet_rules: ({ unmet }) => [...new Set(unmet.map(({ rule }) => rule))].join(' '),
  template: ({ template }) => template ?? '',
};

/** Holds what no field of any known version names, as JSON, so that nothing is left out in silence. */
const rest = 'other_fields';

/**
 * The columns of a spec's records: what is known of them, then their fields in the order of the spec, groups with a
 * point in their names (`seller.city`), lists as JSON in one column. `versions` starts with the current one; a field
 * that only older versions have comes last.
 *
 * With `flatten`, that list has a column for each field of its items instead, and `<list>.#`, which counts them from 1.
 * Throws ApplicationError `invalid_request` when it names no list.
 */
export function recordColumns(versions: readonly Spec[], flatten: string | null): RecordColumns {
  const leaves = mergedLeaves(versions);
  const list = flatten === null ? null : listOf(leaves, flatten);
  const own = [...leaves.values()].filter(({ name }) => name !== flatten);
  const ofItem = list === null ? [] : [...leavesOf(list.items, [])];
  const known = new Set([...leaves.keys()]);
  const knownOfItem = new Set(ofItem.map(({ name }) => name));
  const titles = [
    ...own.map(({ name }) => name),
    ...(list === null ? [] : ['#', ...ofItem.map(({ name }) => name)].map((name) => `${list.name}.${name}`)),
  ];

  return {
    titles: [...Object.keys(facts), ...titles.map(apart), rest],
    rowsOf(record, fileName) {
      const cells = [
        ...Object.values(facts).map((fact) => fact(record, fileName)),
        ...own.map((leaf) => cellOf(record.record, leaf)),
      ];
      const others = unnamed(record.record, known, []);
      if (list === null) return [[...cells, json(others)]];
      const items = at(record.record, list.path) ?? null;
      // An unverified candidate may hold anything where the list should be.
      const odd = isList(items) || items === null ? others : { ...others, [list.name]: items };
      if (!isList(items) || items.length === 0) {
        return [[...cells, '', ...ofItem.map(() => ''), json(odd)]];
      }
      return items.map((item, index) => [
        ...cells,
        String(index + 1),
        ...ofItem.map((leaf) => cellOf(item, leaf)),
        json({ ...odd, ...unnamed(item, knownOfItem, []) }),
      ]);
    },
  };
}

/** A field that holds a value or a list; groups are taken apart. */
interface Leaf {
  readonly name: string;
  readonly path: Path;
  readonly field: Field<unknown>;
}

/** Those of the current version first, each once. */
function mergedLeaves(versions: readonly Spec[]): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const { fields } of versions) {
    for (const leaf of leavesOf(fields, [])) if (!leaves.has(leaf.name)) leaves.set(leaf.name, leaf);
  }
  return leaves;
}

function* leavesOf(fields: Fields, above: Path): Generator<Leaf> {
  for (const [name, field] of Object.entries(fields)) {
    const path = [...above, name];
    if (field.kind === 'record' && field.children !== null) yield* leavesOf(field.children, path);
    else yield { name: path.join('.'), path, field };
  }
}

function listOf(leaves: ReadonlyMap<string, Leaf>, name: string): Leaf & { readonly items: Fields } {
  const leaf = leaves.get(name);
  if (leaf?.field.kind === 'list' && leaf.field.children !== null)
    return { ...leaf, items: leaf.field.children };
  const lists = [...leaves.values()].filter(({ field }) => field.kind === 'list').map((list) => list.name);
  throw new ApplicationError(
    'invalid_request',
    `This spec has no list "${name}"; ${lists.length === 0 ? 'it has none' : `it has ${lists.join(', ')}`}.`,
  );
}

/** A field may be called as a column of ours is. */
function apart(title: string): string {
  return Object.hasOwn(facts, title) || title === rest ? `record.${title}` : title;
}

/** Texts as they are, everything else as JSON; nothing for what is not there. */
function cellOf(value: StoredJson, { path, field }: Leaf): string {
  const inner = at(value, path);
  if (inner === undefined || inner === null) return '';
  if (typeof inner === 'string') return inner;
  return JSON.stringify(inFieldOrder(field.children ?? {}, inner));
}

function at(value: StoredJson, path: Path): StoredJson | undefined {
  let inner: StoredJson | undefined = value;
  for (const name of path) inner = isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  return inner;
}

/** What stands where no known field has a place. */
function unnamed(value: StoredJson, known: ReadonlySet<string>, above: Path): JsonObject {
  if (value === null) return {};
  if (!isObject(value)) return { [above.join('.') || 'record']: value };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const path = [...above, name];
      const title = path.join('.');
      if (known.has(title)) return [];
      const isGroup = [...known].some((column) => column.startsWith(`${title}.`));
      return isGroup ? Object.entries(unnamed(inner, known, path)) : [[title, inner]];
    }),
  );
}

function json(value: JsonObject): string {
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
}

function isObject(value: StoredJson | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: StoredJson | undefined): value is readonly StoredJson[] {
  return Array.isArray(value);
}
