import type { RequestMode } from '../../domain/request-mode.js';
import type { Usage } from '../../domain/usage.js';
import { answerFault, lostCall } from './faults.js';
import { rawElements, rawMembers } from './raw-json.js';

/** A whole answer as it came: headers and the text of the body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a message says, in the provider's own spelling. */
export interface Message {
  readonly stopReason: string;
  readonly text: string;
  readonly usage: Usage | 'unknown';
}

type Members = { readonly [key: string]: unknown };

/**
 * Reads a 200 answer as one message.
 * @throws CallFault when it is no complete message: not JSON, cut, of another shape, or an error body.
 */
export function readMessage(answer: Answer, mode: RequestMode, now: number): Message {
  const body = parse(answer);
  if (body['type'] === 'error') {
    const error = members(body['error']);
    throw answerFault({ status: answer.status, headers: answer.headers, ...errorWords(error) }, now);
  }
  const stopReason = body['stop_reason'];
  const content = body['content'];
  if (typeof stopReason !== 'string' || !Array.isArray(content)) {
    throw badBody(answer, 'The model API answered 200 with something that is not a complete message.');
  }
  const input = mode === 'tool' ? rawToolInput(answer) : null;
  return { stopReason, text: input ?? blockText(content), usage: readUsage(body['usage']) };
}

function parse(answer: Answer): Members {
  const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaType !== 'application/json' && !mediaType.endsWith('+json')) {
    throw badBody(
      answer,
      'The model API answered 200 with a body that is not JSON; check ANTHROPIC_BASE_URL.',
    );
  }
  try {
    const body: unknown = JSON.parse(answer.text);
    if (isMembers(body)) return body;
  } catch {
    // The parser's own message would quote the body.
  }
  throw badBody(answer, 'The model API answered 200 with a body that is cut off or not valid JSON.');
}

/** The text blocks, joined. Thinking and blocks of unknown types are not the answer. */
function blockText(content: readonly unknown[]): string {
  return content
    .map((block) => members(block))
    .map((block) => (block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('');
}

/**
 * The tool's input as it was sent, digit by digit, or null when the model called no tool. Several calls are all kept,
 * one a line: choosing between them is not this reader's to do.
 */
function rawToolInput(answer: Answer): string | null {
  try {
    const content = rawMembers(answer.text).get('content') ?? '[]';
    const inputs = rawElements(content)
      .map((block) => rawMembers(block))
      .filter((block) => block.get('type') === '"tool_use"')
      .map((block) => block.get('input') ?? '');
    return inputs.length === 0 ? null : inputs.join('\n');
  } catch {
    throw badBody(answer, 'The model API answered 200 with a message that has a key twice.');
  }
}

/** What the provider counted, or 'unknown' when it did not say: never zero for want of a number. */
function readUsage(value: unknown): Usage | 'unknown' {
  const usage = members(value);
  const uncached = count(usage['input_tokens']);
  const output = count(usage['output_tokens']);
  const cacheWrite = count(usage['cache_creation_input_tokens'] ?? 0);
  const cacheRead = count(usage['cache_read_input_tokens'] ?? 0);
  const thinking = count(members(usage['output_tokens_details'])['thinking_tokens'] ?? 0);
  if (uncached === null || output === null || cacheWrite === null || cacheRead === null) return 'unknown';
  return {
    inputTokens: uncached + cacheWrite + cacheRead,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    thinkingTokens: thinking ?? 0,
  };
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function errorWords(error: Members): { readonly type: string | null; readonly errorCode: string | null } {
  const type = error['type'];
  const code = members(error['details'])['error_code'];
  return { type: typeof type === 'string' ? type : null, errorCode: typeof code === 'string' ? code : null };
}

function badBody(answer: Answer, message: string) {
  return lostCall('bad_body', message, answer);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function members(value: unknown): Members {
  return isMembers(value) ? value : {};
}
