import { isArray, isObject, type JsonObject, type JsonValue, member, objectsIn } from './json.js';

/** Keywords that structured output compiles; every other one is refused by name. */
const KEYWORDS = new Set(
  `type properties required additionalProperties items enum const anyOf allOf $ref $defs definitions title
   description default format pattern minItems $schema`.split(/\s+/),
);
const FORMATS = new Set('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '));
/** Published limits on one request. */
const MAX_OPTIONAL = 24;
const MAX_UNIONS = 16;

interface Tally {
  optional: number;
  unions: number;
}

/**
 * Why the API would refuse to compile `schema` for structured output or a strict tool, in one sentence, or null.
 * `where` names the request field in the sentence.
 */
export function schemaObjection(schema: JsonValue, where: string): string | null {
  if (!isObject(schema)) return `${where}: Input should be an object`;
  const tally: Tally = { optional: 0, unions: 0 };
  const objection = objectTo(schema, schema, where, tally, []);
  if (objection) return objection;
  if (tally.optional > MAX_OPTIONAL) {
    return `${where}: Schemas may hold at most ${MAX_OPTIONAL} optional properties, found ${tally.optional}.`;
  }
  if (tally.unions > MAX_UNIONS) {
    return `${where}: Schemas may hold at most ${MAX_UNIONS} union types, found ${tally.unions}.`;
  }
  return null;
}

function objectTo(
  node: JsonValue,
  root: JsonObject,
  where: string,
  tally: Tally,
  open: readonly string[],
): string | null {
  if (!isObject(node)) return `${where}: Every schema must be an object.`;
  for (const keyword of Object.keys(node)) {
    if (!KEYWORDS.has(keyword)) return `${where}: The keyword '${keyword}' is not supported.`;
  }
  const minItems = member(node, 'minItems');
  if (minItems !== undefined && minItems !== 0 && minItems !== 1) {
    return `${where}: For 'array' type, 'minItems' values other than 0 or 1 are not supported.`;
  }
  const format = member(node, 'format');
  if (typeof format === 'string' && !FORMATS.has(format))
    return `${where}: The format '${format}' is not supported.`;
  const pattern = member(node, 'pattern');
  if (typeof pattern === 'string' && !isSimplePattern(pattern)) {
    return `${where}: The pattern uses features that are not supported.`;
  }
  if (isArray(member(node, 'type')) || isArray(member(node, 'anyOf'))) tally.unions += 1;
  return (
    objectToReference(node, root, where, tally, open) ??
    objectToProperties(node, root, where, tally, open) ??
    objectToParts(node, root, where, tally, open)
  );
}

function objectToReference(
  node: JsonObject,
  root: JsonObject,
  where: string,
  tally: Tally,
  open: readonly string[],
): string | null {
  const reference = member(node, '$ref');
  if (reference === undefined) return null;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) {
    return `${where}: Only local '$ref' is supported.`;
  }
  if (open.includes(reference)) return `${where}: Recursive schemas are not supported.`;
  const target = resolveReference(root, reference);
  if (target === undefined) return `${where}: '$ref' ${reference} points to nothing.`;
  return objectTo(target, root, where, tally, [...open, reference]);
}

function objectToProperties(
  node: JsonObject,
  root: JsonObject,
  where: string,
  tally: Tally,
  open: readonly string[],
): string | null {
  const properties = member(node, 'properties');
  if (member(node, 'type') !== 'object' && properties === undefined) return null;
  if (member(node, 'additionalProperties') !== false) {
    return `${where}: For 'object' type, 'additionalProperties' must be explicitly set to false.`;
  }
  const required = member(node, 'required');
  for (const [name, child] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isArray(required) || !required.includes(name)) tally.optional += 1;
    const objection = objectTo(child, root, `${where}.properties.${name}`, tally, open);
    if (objection) return objection;
  }
  return null;
}

function objectToParts(
  node: JsonObject,
  root: JsonObject,
  where: string,
  tally: Tally,
  open: readonly string[],
): string | null {
  const items = member(node, 'items');
  const parts = [
    ...(items === undefined ? [] : [items]),
    ...objectsIn(member(node, 'anyOf')),
    ...objectsIn(member(node, 'allOf')),
  ];
  for (const part of parts) {
    const objection = objectTo(part, root, where, tally, open);
    if (objection) return objection;
  }
  return null;
}

/** The node a local reference such as `#/$defs/Line` points to, or undefined. */
export function resolveReference(root: JsonObject, reference: string): JsonValue | undefined {
  let node: JsonValue | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    node = member(node, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return node;
}

/** Look-around, back-references and word boundaries are beyond the compiler. */
function isSimplePattern(pattern: string): boolean {
  if (/\(\?[=!<]|\\[1-9bB]/.test(pattern)) return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
