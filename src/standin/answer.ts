import { answerRecord } from './answer-record.js';
import { type Asked, askedSchema } from './asked-schema.js';
import type { Behaviour } from './behaviour.js';
import { roll } from './dice.js';
import { readFeedback } from './feedback.js';
import type { JsonObject, JsonValue } from './json.js';
import { plainText } from './plain-style.js';
import { type Refusal, refusalOf } from './refusal.js';
import { CHARACTERS_PER_TOKEN, type SentDocument, userWords } from './sent-document.js';
import { shapeOf } from './shape.js';

/** What the model would say with all the room in the world. */
type Draft =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly json: string }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

export interface Answer {
  readonly content: readonly ContentBlock[];
  readonly stopReason: string;
  readonly refusal: Refusal | null;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
}

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject };

/** The model's answer to a request, cut off for good at `ceiling` tokens or at what is left of the context window. */
export function answer(
  body: JsonObject,
  documents: readonly SentDocument[],
  room: { readonly ceiling: number; readonly contextLeft: number },
  behaviour: Behaviour,
  requestId: string,
): Answer {
  const document = documents.map((each) => each.sha256).join('+');
  const draft = draftOf(body, documents, behaviour, document);
  const limit = Math.min(room.ceiling, room.contextLeft);
  const thinking = Math.min(behaviour.thinkingTokens, limit);
  const text =
    draft.kind === 'refusal' ? draft.refusal.text : draft.kind === 'tool' ? draft.json : draft.text;
  const needed = thinking + tokensOf(text);
  const isCut = needed > limit || behaviour.thinkingTokens > limit;
  const kept = isCut ? cutText(text, limit - thinking) : text;
  const thought: ContentBlock[] =
    thinking > 0
      ? [{ type: 'thinking', thinking: '', signature: Buffer.from(requestId).toString('base64') }]
      : [];
  const cutReason = room.contextLeft < room.ceiling ? 'model_context_window_exceeded' : 'max_tokens';
  return {
    content: [...thought, ...blocksOf(draft, kept, requestId)],
    stopReason: isCut ? cutReason : stopReasonOf(draft, behaviour, document),
    refusal: draft.kind === 'refusal' && !isCut ? draft.refusal : null,
    outputTokens: isCut ? limit : Math.max(needed, 1),
    thinkingTokens: thinking,
  };
}

function draftOf(
  body: JsonObject,
  documents: readonly SentDocument[],
  behaviour: Behaviour,
  document: string,
): Draft {
  const lines = documents.flatMap((each) => each.lines);
  if (!lines.some((line) => line.cells.length > 0)) return { kind: 'text', text: '' };
  if (roll(behaviour.seed, document, 'empty reply') < behaviour.emptyReply) return { kind: 'text', text: '' };
  const refusal = refusalOf(lines, behaviour, document);
  if (refusal) return { kind: 'refusal', refusal };
  const asked = askedSchema(body);
  if (asked.mode === 'none') return { kind: 'text', text: 'Please tell me which data to extract.' };
  const feedback = readFeedback(userWords(body));
  const shape = shapeOf(asked.schema, asked.schema);
  const fields = shape.kind === 'object' ? shape.fields : [];
  const json = JSON.stringify(answerRecord(fields, lines, feedback, behaviour, document));
  return worded(asked, json, behaviour, document, feedback === null);
}

function worded(asked: Asked, json: string, behaviour: Behaviour, document: string, isFirst: boolean): Draft {
  if (asked.mode === 'tool') return { kind: 'tool', name: asked.tool, json };
  if (asked.mode === 'plain') return { kind: 'text', text: plainText(json, behaviour, document, isFirst) };
  return { kind: 'text', text: json };
}

function blocksOf(draft: Draft, kept: string, requestId: string): ContentBlock[] {
  if (draft.kind === 'tool') {
    return [
      { type: 'tool_use', id: `toolu_${requestId.slice(4)}`, name: draft.name, input: wholeMembers(kept) },
    ];
  }
  return kept === '' ? [] : [{ type: 'text', text: kept }];
}

function stopReasonOf(draft: Draft, behaviour: Behaviour, document: string): string {
  if (draft.kind === 'refusal') return 'refusal';
  if (roll(behaviour.seed, document, 'unknown stop') < behaviour.unknownStop) return 'rerouted';
  return draft.kind === 'tool' ? 'tool_use' : 'end_turn';
}

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** The first `tokens` tokens of a text; never half a surrogate pair. */
function cutText(text: string, tokens: number): string {
  const cut = text.slice(0, Math.max(0, Math.floor(tokens * CHARACTERS_PER_TOKEN)));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A tool call cut off in the middle carries the members that were complete. */
function wholeMembers(json: string): JsonObject {
  for (let end = json.length; end > 0; end -= 1) {
    const candidate = end === json.length ? json : json[end] === ',' ? `${json.slice(0, end)}}` : null;
    if (candidate === null) continue;
    try {
      const value = JSON.parse(candidate) as JsonValue;
      return value as JsonObject;
    } catch {
      // Not at a border between members: look further left.
    }
  }
  return {};
}
