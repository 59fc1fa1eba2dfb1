import { isArray, isObject, type JsonObject, type JsonValue, member, textMember } from './json.js';
import { resolveReference } from './schema-rules.js';
import { phrasesFor } from './vocabulary.js';

/** What a schema asks for, in terms a reader of documents can look for. */
export type Shape = {
  /** What to answer when the document does not say; undefined where the schema has no honest word for it. */
  readonly absent?: string | null;
  /** What to answer when the label stands there without a value. */
  readonly blank?: string;
} & (
  | {
      readonly kind: 'text' | 'number' | 'date' | 'currency';
      readonly pattern?: RegExp;
      readonly asNumber?: boolean;
    }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly item: Shape }
);

export interface Field {
  readonly name: string;
  readonly required: boolean;
  /** Labels that may stand beside the value. */
  readonly phrases: readonly string[];
  readonly shape: Shape;
}

const ABSENT_WORD = /absent|missing|none|not|null|unknown|n\/?a/i;
const BLANK_WORD = /blank|empty/i;
const MAX_DEPTH = 12;

/** Reads a JSON schema, `name` being the property it belongs to. Unknown constructs are read as text. */
export function shapeOf(schema: JsonValue, root: JsonObject, name = '', depth = 0): Shape {
  if (!isObject(schema) || depth > MAX_DEPTH) return { kind: 'text' };
  const reference = textMember(schema, '$ref');
  if (reference) return shapeOf(resolveReference(root, reference) ?? null, root, name, depth + 1);
  const branches = member(schema, 'anyOf') ?? member(schema, 'oneOf');
  if (isArray(branches)) return unionShape(branches, schema, root, name, depth);
  const all = member(schema, 'allOf');
  if (isArray(all)) return shapeOf(Object.assign({}, schema, { allOf: null }, ...all), root, name, depth + 1);
  const constant = member(schema, 'const');
  if (typeof constant === 'string') return { kind: 'choice', options: [constant] };
  const options = member(schema, 'enum');
  if (isArray(options)) return enumShape(options.filter((each) => typeof each === 'string'));
  return plainShape(schema, root, name, depth);
}

function plainShape(schema: JsonObject, root: JsonObject, name: string, depth: number): Shape {
  const declared = member(schema, 'type');
  const types = isArray(declared) ? declared : [declared];
  const nullable = types.includes('null') ? { absent: null } : {};
  if (types.includes('object') || isObject(member(schema, 'properties'))) {
    return { kind: 'object', fields: fieldsOf(schema, root, depth), ...nullable };
  }
  if (types.includes('array')) {
    return {
      kind: 'list',
      item: shapeOf(member(schema, 'items') ?? null, root, name, depth + 1),
      ...nullable,
    };
  }
  if (types.includes('boolean')) return { kind: 'boolean', ...nullable };
  if (types.includes('number') || types.includes('integer'))
    return { kind: 'number', asNumber: true, ...nullable };
  return { ...textShape(schema, name), ...nullable };
}

function fieldsOf(schema: JsonObject, root: JsonObject, depth: number): Field[] {
  const properties = member(schema, 'properties');
  const required = member(schema, 'required');
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, child]) => ({
    name,
    required: isArray(required) && required.includes(name),
    phrases: phrasesFor([name.replaceAll('_', ' '), ...titlesOf(child)]),
    shape: shapeOf(child, root, name, depth + 1),
  }));
  // The API emits required properties first.
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/** A title, and what a description says a value is labelled as ('printed as "Folio" or "Leaf"'), are labels to look for. */
function titlesOf(child: JsonValue): string[] {
  const described = textMember(child, 'description') ?? '';
  const named =
    /\b(?:labell?ed|printed as|called|headed|marked)\s+((?:["“][^"”]{2,40}["”](?:,| or| and|\s)*)+)/i.exec(
      described,
    );
  const quoted = [...(named?.[1] ?? '').matchAll(/["“]([^"”]+)["”]/g)].map((match) => match[1] ?? '');
  return [textMember(child, 'title') ?? '', ...quoted];
}

function unionShape(
  branches: JsonValue[],
  schema: JsonObject,
  root: JsonObject,
  name: string,
  depth: number,
): Shape {
  const described = { description: member(schema, 'description') ?? '' };
  const shapes = branches.map((branch) =>
    isObject(branch) && member(branch, 'type') === 'null'
      ? null
      : shapeOf(isObject(branch) ? { ...described, ...branch } : branch, root, name, depth + 1),
  );
  const values = shapes.filter((shape) => shape !== null && shape.kind !== 'choice');
  const words = shapes.flatMap((shape) => (shape?.kind === 'choice' ? shape.options : []));
  const base = values[0];
  const nullable = shapes.includes(null) ? { absent: null } : {};
  if (!base) return { ...enumShape(words), ...nullable };
  return { ...base, ...nullable, ...sentinels(words) };
}

function sentinels(words: readonly string[]): { absent?: string; blank?: string } {
  const blank = words.find((word) => BLANK_WORD.test(word));
  const absent =
    words.find((word) => word !== blank && ABSENT_WORD.test(word)) ?? words.find((w) => w !== blank);
  return { ...(absent === undefined ? {} : { absent }), ...(blank === undefined ? {} : { blank }) };
}

function enumShape(options: readonly string[]): Shape {
  const codes = options.filter((option) => /^[A-Z]{3}$/.test(option));
  if (codes.length > 2 && codes.length >= options.length - 2) return { kind: 'currency' };
  return { kind: 'choice', options };
}

/** What kind of text a pattern, a format or the words around it ask for, found by trying samples on the pattern. */
function textShape(schema: JsonObject, name: string): Shape {
  const source = textMember(schema, 'pattern');
  const about = `${name} ${textMember(schema, 'description') ?? ''} ${textMember(schema, 'title') ?? ''}`;
  if (textMember(schema, 'format') === 'date') return { kind: 'date' };
  if (source === undefined) return { kind: kindByWords(about) };
  const pattern = new RegExp(source, 'u');
  const accepts = (sample: string): boolean => pattern.test(sample);
  const loose = accepts('zzzz');
  const words = loose ? [] : ['not_printed', 'absent', 'blank', 'empty'].filter(accepts);
  if (accepts('2024-11-23') && !loose && !accepts('12.50'))
    return { kind: 'date', pattern, ...sentinels(words) };
  if ((accepts('12.50') || accepts('12')) && !loose) return { kind: 'number', pattern, ...sentinels(words) };
  if (accepts('EUR') && !accepts('EU') && !accepts('12'))
    return { kind: 'currency', pattern, ...sentinels(words) };
  return { kind: 'text', pattern };
}

function kindByWords(about: string): 'text' | 'number' | 'date' | 'currency' {
  if (/YYYY-MM-DD|ISO 8601|_date\b|^date\b/i.test(about)) return 'date';
  if (/ISO 4217|^currency\b/i.test(about)) return 'currency';
  if (/decimal|^(amount|total|price)\b|_(amount|total|price)\b/i.test(about)) return 'number';
  return 'text';
}
