import { isObject, type JsonObject, type JsonValue, member, objectsIn, textMember } from './json.js';
import { userWords } from './sent-document.js';

/** Where the schema of the answer was given, which says how the answer is bound to it. */
export type Asked =
  | { readonly mode: 'constrained' | 'plain'; readonly schema: JsonObject }
  | { readonly mode: 'tool'; readonly schema: JsonObject; readonly tool: string }
  | { readonly mode: 'none' };

/** The schema this request asks for: its output format, its tool, or the schema printed in its instructions. */
export function askedSchema(body: JsonObject): Asked {
  const format = member(member(body, 'output_config'), 'format');
  const schema = member(format, 'schema');
  if (isObject(schema)) return { mode: 'constrained', schema };
  const tools = objectsIn(member(body, 'tools'));
  const named = textMember(member(body, 'tool_choice'), 'name');
  const tool = tools.find((each) => each['name'] === named) ?? tools[0];
  const input = member(tool, 'input_schema');
  if (tool && isObject(input) && textMember(member(body, 'tool_choice'), 'type') !== 'none') {
    return { mode: 'tool', schema: input, tool: textMember(tool, 'name') ?? '' };
  }
  const printed = schemaPrintedIn(systemWords(body)) ?? schemaPrintedIn(userWords(body));
  return printed ? { mode: 'plain', schema: printed } : { mode: 'none' };
}

function systemWords(body: JsonObject): string {
  const system = member(body, 'system');
  if (typeof system === 'string') return system;
  return objectsIn(system)
    .map((block) => textMember(block, 'text') ?? '')
    .join('\n');
}

/** The first complete JSON object with `properties` in a text, fenced or not. */
function schemaPrintedIn(text: string): JsonObject | null {
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const end = endOfObject(text, at);
    if (end < 0) continue;
    const value = parsed(text.slice(at, end));
    if (isObject(value) && isObject(value['properties'])) return value;
    if (value !== undefined) at = end - 1;
  }
  return null;
}

/** The index after the bracket that closes the one at `start`, or -1. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
