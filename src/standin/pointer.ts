import { isArray, isObject, type JsonValue } from './json.js';

/** The value an RFC 6901 pointer names, or undefined. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const part of partsOf(pointer)) {
    if (isArray(value)) value = value[Number(part)];
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

/** A copy of `root` with the value at `pointer` replaced; the same root when the pointer names nothing. */
export function withValueAt(root: JsonValue, pointer: string, value: JsonValue): JsonValue {
  const replace = (node: JsonValue, [head, ...rest]: readonly string[]): JsonValue => {
    if (head === undefined) return value;
    if (isArray(node))
      return node.map((child, index) => (String(index) === head ? replace(child, rest) : child));
    if (!isObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, child]) => [name, name === head ? replace(child, rest) : child]),
    );
  };
  return replace(root, partsOf(pointer));
}

export function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
