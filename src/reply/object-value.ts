import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  isDigit,
  minus,
  openBrace,
  openBracket,
  quote,
} from './character.js';
import type { Cursor } from './cursor.js';
import type { JsonObject, JsonValue } from './json-value.js';
import { readKey } from './key-token.js';
import { readNumber } from './number-token.js';
import { readString } from './string-token.js';

const letterF = 0x66;
const letterN = 0x6e;
const letterT = 0x74;

/** Levels, the top object included. A record needs a handful; recursion this deep cannot exhaust a stack. */
const maxDepth = 64;

/** Reads the object whose `{` stands at the cursor, which ends up behind its `}`. `depth` counts levels, from 1. */
export function readObject(cursor: Cursor, depth: number): JsonObject | undefined {
  if (depth > maxDepth) return cursor.fail('too_deep', cursor.at);
  // No prototype, like Object.create(null), but V8 keeps it in its fast representation: a third of the cost when small.
  const members: Record<string, JsonValue> = Object.setPrototypeOf({}, null);
  cursor.at += 1;
  let next = cursor.skipWhitespace();
  if (next === closeBrace) {
    cursor.at += 1;
    return members;
  }
  for (;;) {
    const keyAt = cursor.at;
    const key = next === quote ? readKey(cursor) : readBareKey(cursor);
    if (key === undefined) return undefined;
    if (members[key] !== undefined) return cursor.fail('duplicate_key', keyAt);
    if (isForbidden(key)) return cursor.fail('forbidden_key', keyAt);
    if (cursor.skipWhitespace() !== colon) return cursor.unexpected();
    cursor.at += 1;
    const value = readValue(cursor, depth + 1);
    if (value === undefined) return undefined;
    members[key] = value;
    next = passSeparator(cursor, closeBrace);
    if (next === closeBrace) return members;
    if (Number.isNaN(next)) return undefined;
  }
}

/** Harmless in an object without prototype, but not in the hands of whatever copies it into one that has one. */
function isForbidden(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** A key without quotes is complete information when it is one plain word before a colon. */
function readBareKey(cursor: Cursor): string | undefined {
  const start = cursor.at;
  const word = /[A-Za-z_$][\w$]*/y;
  word.lastIndex = start;
  const key = word.exec(cursor.text)?.[0];
  if (key === undefined) return cursor.unexpected();
  cursor.at += key.length;
  if (cursor.skipWhitespace() !== colon) return cursor.unexpected();
  return cursor.normalise('bare_key', start) ? key : undefined;
}

function readArray(cursor: Cursor, depth: number): JsonValue | undefined {
  if (depth > maxDepth) return cursor.fail('too_deep', cursor.at);
  const items: JsonValue[] = [];
  cursor.at += 1;
  if (cursor.skipWhitespace() === closeBracket) {
    cursor.at += 1;
    return items;
  }
  for (;;) {
    const item = readValue(cursor, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
    const next = passSeparator(cursor, closeBracket);
    if (next === closeBracket) return items;
    if (Number.isNaN(next)) return undefined;
  }
}

/**
 * Passes the comma, or the bracket `close`, behind a member or item. Returns `close` when the container ended, else
 * the code of what comes next, or NaN after a failure.
 */
function passSeparator(cursor: Cursor, close: number): number {
  let next = cursor.skipWhitespace();
  if (next === comma) {
    const commaAt = cursor.at;
    cursor.at += 1;
    next = cursor.skipWhitespace();
    if (Number.isNaN(next)) cursor.unexpected();
    if (next !== close) return next;
    if (!cursor.normalise('trailing_comma', commaAt)) return Number.NaN;
  } else if (next !== close) {
    cursor.unexpected();
    return Number.NaN;
  }
  cursor.at += 1;
  return close;
}

function readValue(cursor: Cursor, depth: number): JsonValue | undefined {
  const code = cursor.skipWhitespace();
  if (code === quote) return readString(cursor);
  if (code === openBrace) return readObject(cursor, depth);
  if (code === openBracket) return readArray(cursor, depth);
  if (code === minus || isDigit(code)) return readNumber(cursor);
  if (code === letterT) return readLiteral(cursor, 'true', true);
  if (code === letterF) return readLiteral(cursor, 'false', false);
  if (code === letterN) return readLiteral(cursor, 'null', null);
  if (!/^(?:NaN|Infinity)/.test(cursor.text.slice(cursor.at, cursor.at + 8))) return cursor.unexpected();
  return cursor.fail('not_finite', cursor.at);
}

function readLiteral<Value extends boolean | null>(
  cursor: Cursor,
  word: string,
  value: Value,
): Value | undefined {
  const { text, at } = cursor;
  if (text.startsWith(word, at)) {
    cursor.at += word.length;
    return value;
  }
  return word.startsWith(text.slice(at)) ? cursor.fail('incomplete', text.length) : cursor.unexpected();
}
