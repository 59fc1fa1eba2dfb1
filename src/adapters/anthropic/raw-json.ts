/**
 * Reads JSON without turning it into values, so that a number keeps every digit it was sent with. For text that
 * `JSON.parse` has already accepted: then strings, escapes and brackets are known to be well formed, and finding where
 * a value ends takes no recursion, whatever its depth.
 */

/**
 * The raw text of each member of an object.
 * @throws RangeError when a key occurs twice: which value counts is not for a reader to choose.
 */
export function rawMembers(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = afterSpace(json, openedBy(json, '{'));
  while (json[at] !== '}') {
    const keyEnd = stringEnd(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const valueStart = afterSpace(json, afterSpace(json, keyEnd) + 1);
    const valueEnd = rawEnd(json, valueStart);
    if (typeof key !== 'string' || members.has(key)) throw new RangeError('A key occurs twice.');
    members.set(key, json.slice(valueStart, valueEnd));
    at = afterComma(json, valueEnd);
  }
  return members;
}

/** The raw text of each element of an array. */
export function rawElements(json: string): string[] {
  const elements: string[] = [];
  let at = afterSpace(json, openedBy(json, '['));
  while (json[at] !== ']') {
    const end = rawEnd(json, at);
    elements.push(json.slice(at, end));
    at = afterComma(json, end);
  }
  return elements;
}

function openedBy(json: string, bracket: '{' | '['): number {
  const at = afterSpace(json, 0);
  if (json[at] !== bracket) throw new RangeError(`No ${bracket === '{' ? 'object' : 'array'} here.`);
  return at + 1;
}

function afterSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \t\n\r'.includes(json.charAt(at))) at += 1;
  return at;
}

function afterComma(json: string, from: number): number {
  const at = afterSpace(json, from);
  return json[at] === ',' ? afterSpace(json, at + 1) : at;
}

/** Index after the string that starts at `from`. */
function stringEnd(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Index after the value that starts at `from`. */
function rawEnd(json: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const character = json.charAt(at);
    if (character === '"') {
      at = stringEnd(json, at);
    } else if ('{['.includes(character)) {
      depth += 1;
      at += 1;
    } else if ('}]'.includes(character)) {
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
    } else if (depth === 0 && ', \t\n\r'.includes(character)) {
      return at;
    } else {
      at += 1;
      continue;
    }
    if (depth === 0) return at;
  }
  return at;
}
