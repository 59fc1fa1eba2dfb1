import type { Answer, ContentBlock } from './answer.js';
import type { JsonObject, JsonValue } from './json.js';
import type { InputTokens } from './prompt-cache.js';

export interface MessageFacts {
  readonly id: string;
  readonly model: string;
  readonly answer: Answer;
  readonly input: InputTokens;
  /** False: the reply says nothing about usage. */
  readonly withUsage: boolean;
}

/** The Message object of a reply. */
export function messageBody(facts: MessageFacts): JsonObject {
  const { answer } = facts;
  return {
    id: facts.id,
    type: 'message',
    role: 'assistant',
    model: facts.model,
    content: answer.content.map((block) => ({ ...block }) as JsonObject),
    stop_reason: answer.stopReason,
    stop_sequence: null,
    stop_details: stopDetails(answer),
    ...(facts.withUsage ? { usage: usage(facts, answer.outputTokens) } : {}),
  };
}

function stopDetails(answer: Answer): JsonValue {
  if (!answer.refusal) return null;
  const explanation = 'The request was declined because of what the document is about.';
  return { type: 'refusal', category: answer.refusal.category, explanation };
}

function usage({ answer, input }: MessageFacts, outputTokens: number): JsonObject {
  return {
    input_tokens: input.plain,
    cache_creation_input_tokens: input.written,
    cache_read_input_tokens: input.read,
    cache_creation: { ephemeral_5m_input_tokens: input.written, ephemeral_1h_input_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: answer.thinkingTokens },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
  };
}

const DELTA_CHARACTERS = 64;

/** The server-sent events of a reply, in order. */
export function messageEvents(facts: MessageFacts): JsonObject[] {
  const { answer } = facts;
  const whole = messageBody(facts);
  const start: JsonObject = { ...whole, content: [], stop_reason: null, stop_details: null };
  if (facts.withUsage) start['usage'] = usage(facts, 1);
  return [
    { type: 'message_start', message: start },
    ...answer.content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptyBlock(block) },
      ...(index === 0 ? [{ type: 'ping' }] : []),
      ...deltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: answer.stopReason, stop_sequence: null, stop_details: stopDetails(answer) },
      ...(facts.withUsage ? { usage: usage(facts, answer.outputTokens) } : {}),
    },
    { type: 'message_stop' },
  ];
}

function emptyBlock(block: ContentBlock): JsonObject {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { ...block, input: {} };
}

function deltas(block: ContentBlock): JsonObject[] {
  if (block.type === 'thinking') return [{ type: 'signature_delta', signature: block.signature }];
  const text = block.type === 'text' ? block.text : JSON.stringify(block.input);
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${DELTA_CHARACTERS}}`, 'gu')) ?? [];
  return pieces.map((piece) =>
    block.type === 'text'
      ? { type: 'text_delta', text: piece }
      : { type: 'input_json_delta', partial_json: piece },
  );
}
