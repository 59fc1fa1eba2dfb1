export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is JsonValue[] {
  return Array.isArray(value);
}

/** The own member `name` of an object, or undefined for anything else: never an inherited one. */
export function member(value: unknown, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function objectsIn(value: unknown): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}
