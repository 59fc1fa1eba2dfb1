import { sha256 } from './dice.js';
import { type JsonObject, type JsonValue, member, objectsIn } from './json.js';
import { CHARACTERS_PER_TOKEN } from './sent-document.js';

/** What a request's input costs, split as the API bills it; the three sum up to the whole input. */
export interface InputTokens {
  readonly plain: number;
  readonly written: number;
  readonly read: number;
}

const LIFETIME_MS = 300_000;
/** Prefixes shorter than this are not cached. */
const SMALLEST = 1024;

/** Remembers the cached prefixes of requests for five minutes: tools, output format and system up to the last mark. */
export class PromptCache {
  private readonly validUntil = new Map<string, number>();

  /** Splits `total` input tokens for this request at instant `now` and remembers its prefix. */
  split(body: JsonObject, total: number, now: number): InputTokens {
    const prefix = cachedPrefix(body);
    const tokens = prefix === null ? 0 : Math.ceil(prefix.length / CHARACTERS_PER_TOKEN);
    if (prefix === null || tokens < SMALLEST || tokens > total) return { plain: total, written: 0, read: 0 };
    const key = sha256(prefix);
    const hit = (this.validUntil.get(key) ?? 0) > now;
    this.validUntil.set(key, now + LIFETIME_MS);
    return { plain: total - tokens, written: hit ? 0 : tokens, read: hit ? tokens : 0 };
  }

  clear(): void {
    this.validUntil.clear();
  }
}

function cachedPrefix(body: JsonObject): string | null {
  const system = objectsIn(member(body, 'system'));
  const last = system.findLastIndex((block) => member(block, 'cache_control') !== undefined);
  if (last < 0) return null;
  const parts: JsonValue[] = [
    member(body, 'model') ?? null,
    member(body, 'tools') ?? null,
    member(member(body, 'output_config'), 'format') ?? null,
    ...system.slice(0, last + 1),
  ];
  return JSON.stringify(parts);
}

/** All input tokens of a request: documents as billed, every other word by its length. */
export function inputTokens(body: JsonObject, documentTokens: number): number {
  let characters = 0;
  const visit = (value: JsonValue, insideSource: boolean): void => {
    if (typeof value === 'string') characters += insideSource ? 0 : value.length;
    else if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) {
        if (!insideSource) characters += name.length;
        visit(child as JsonValue, insideSource || name === 'source');
      }
    }
  };
  for (const name of ['system', 'messages', 'tools', 'output_config'])
    visit(member(body, name) ?? null, false);
  return documentTokens + Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
