/** RFC 6901 pointers, and patterns of them in which `*` stands for every index of a list. */

/** A value together with where it stands. */
export interface Located {
  readonly pointer: string;
  readonly value: unknown;
}

/** The reference tokens of a pointer: `/a~1b/0` is `a/b` and `0`. The empty pointer has none. */
export function tokensOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

/** One token more: `('/line_items', 0)` is `/line_items/0`. */
export function join(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value at a pointer; undefined when there is none. Inherited properties are not values. */
export function get(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of tokensOf(pointer)) value = child(value, token);
  return value;
}

/** A copy of the document with another value at the pointer. A pointer that leads nowhere changes nothing. */
export function set<T>(document: T, pointer: string, value: unknown): T {
  return replaced(document, tokensOf(pointer), value) as T;
}

/** Every value that a pattern names, in document order. A list that is absent or empty yields none. */
export function expand(document: unknown, pattern: string): readonly Located[] {
  let found: Located[] = [{ pointer: '', value: document }];
  for (const token of tokensOf(pattern)) {
    found = found.flatMap(({ pointer, value }) => {
      if (token === '*') {
        return Array.isArray(value)
          ? value.map((item, index) => ({ pointer: join(pointer, index), value: item as unknown }))
          : [];
      }
      const next = child(value, token);
      return next === undefined ? [] : [{ pointer: join(pointer, token), value: next }];
    });
  }
  return found;
}

/** What a pointer names, in words: "total claimed" for /total_claimed. */
export function nameAt(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Every value that is no object and no list, in document order. */
export function leaves(document: unknown, pointer = ''): readonly Located[] {
  if (document === null || typeof document !== 'object') return [{ pointer, value: document }];
  return Object.entries(document).flatMap(([key, value]) => leaves(value, join(pointer, key)));
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function child(value: unknown, token: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, token)) return undefined;
  // Arrays own `length` too, which no pointer may name.
  if (Array.isArray(value) && token === 'length') return undefined;
  return (value as { readonly [key: string]: unknown })[token];
}

function replaced(document: unknown, tokens: readonly string[], value: unknown): unknown {
  const [token, ...rest] = tokens;
  if (token === undefined) return value;
  const current = child(document, token);
  if (current === undefined) return document;
  const next = replaced(current, rest, value);
  if (Array.isArray(document)) return document.map((item, index) => (String(index) === token ? next : item));
  return { ...(document as object), [token]: next };
}
