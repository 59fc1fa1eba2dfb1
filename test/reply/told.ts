import { type JsonValue, NumberText } from '../../src/reply/json-value.js';
import { readReply } from '../../src/reply/read-reply.js';
import type { Reading } from '../../src/reply/reading.js';

export const modes = ['constrained', 'tool', 'plain'] as const;
export const completeStops = ['end_turn', 'stop_sequence', 'tool_use'] as const;

export function readPlain(text: string): Reading {
  return readReply({ stopReason: 'end_turn', text, mode: 'plain' });
}

export function readStrict(text: string): Reading {
  return readReply({ stopReason: 'end_turn', text, mode: 'constrained' });
}

/** A reading in one line: the value as `{"total":25.00}`, or `code@position`. */
export function told(reading: Reading): string {
  return reading.kind === 'value' ? printed(reading.value) : `${reading.code}@${reading.at}`;
}

/** A value as compact JSON in its own key order, every number in its own digits. */
export function printed(value: JsonValue): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(printed).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${printed(member)}`)
    .join(',')}}`;
}

/** The same value as `JSON.parse` would have it: doubles, and objects with the usual prototype. */
export function rounded(value: JsonValue): unknown {
  return JSON.parse(printed(value));
}
