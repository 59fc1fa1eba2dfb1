import type { RequestMode } from '../domain/request-mode.js';
import { readPlainText } from './plain-text.js';
import { endFailure, parseFailure, type Reading } from './reading.js';
import { readStrictText } from './strict-text.js';

/** In UTF-16 units: 8 Mi, some hundred times what the highest token ceiling can produce. */
const maxReplyLength = 8 * 1024 * 1024;

interface Reply {
  /** As the provider spelled it. */
  readonly stopReason: string;
  /** All text of the reply; in tool mode the tool's raw input. */
  readonly text: string;
  readonly mode: RequestMode;
}

/**
 * Reads a reply as exactly one JSON object, or says why it cannot be one. Total: never throws, time grows linearly
 * with the text.
 *
 * The stop reason is looked at first, so the text of a cut or refused reply is never read: nothing may turn half a
 * record into a whole one. Constrained and tool mode allow whitespace and byte order marks around the object and
 * nothing else; plain mode allows what `readPlainText` lists. A string may hold neither NUL nor a lone surrogate,
 * because Postgres `jsonb` and UTF-8 hold neither, and a changed one would be an invention.
 */
export function readReply(reply: Reply): Reading {
  switch (reply.stopReason) {
    case 'max_tokens':
      return endFailure('truncated', 'max_tokens');
    case 'model_context_window_exceeded':
      return endFailure('truncated', 'context_window');
    case 'refusal':
      return endFailure('refusal', 'refusal');
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
      return readCompleteText(reply.text, reply.mode);
    default:
      return parseFailure('unknown_stop_reason', null);
  }
}

function readCompleteText(text: string, mode: RequestMode): Reading {
  if (text.length > maxReplyLength) return parseFailure('too_large', null);
  // \S excludes the byte order mark, so a reply of nothing else is empty too.
  if (!/\S/.test(text)) return endFailure('empty', 'empty');
  return mode === 'plain' ? readPlainText(text) : readStrictText(text);
}
