import type { Behaviour } from './behaviour.js';
import { roll } from './dice.js';
import type { Complaint, Feedback } from './feedback.js';
import { isArray, type JsonValue } from './json.js';
import type { Line } from './page-lines.js';
import { partsOf, valueAt, withValueAt } from './pointer.js';
import { readCarefully } from './reading.js';
import type { Field, Shape } from './shape.js';
import { isMended, type Slip, slipsOf, withSlips } from './slips.js';

/**
 * The record this stand-in answers with: what the document says, less the slips nobody complained about, and each
 * field complained about read again or, where reading again changes nothing, set as told.
 */
export function answerRecord(
  fields: readonly Field[],
  lines: readonly Line[],
  feedback: Feedback | null,
  behaviour: Behaviour,
  document: string,
): JsonValue {
  const reading = readCarefully(fields, lines);
  const careful: JsonValue = { ...reading.value };
  const slips = slipsOf(reading, lines, behaviour, document);
  const deaf = roll(behaviour.seed, document, 'stubborn') < behaviour.stubborn;
  if (!feedback || deaf) return withSlips(careful, slips);
  const answer = withSlips(
    careful,
    slips.filter((slip) => !isMended(slip, feedback)),
  );
  return feedback.complaints.reduce(
    (current, complaint) => corrected(current, complaint, careful, slips, fields),
    answer,
  );
}

function corrected(
  answer: JsonValue,
  complaint: Complaint,
  careful: JsonValue,
  slips: readonly Slip[],
  fields: readonly Field[],
): JsonValue {
  const { pointer, about, expected, found } = complaint;
  const read = pointer === null ? undefined : valueAt(careful, pointer);
  if (pointer === null || read === undefined || isArray(read) || typeof read === 'object') return answer;
  const shape = shapeAt(fields, pointer);
  if (found !== null && !isSame(read, found)) return withValueAt(answer, pointer, read);
  if (about === 'unprinted') {
    return withValueAt(answer, pointer, shape?.absent !== undefined ? shape.absent : read);
  }
  // With rows lost, the sum they had is not what the document says.
  const misled =
    about === 'sum' && slips.some((slip) => slip.kind === 'dropped_rows' || slip.kind === 'misread');
  if (misled || expected === null || !shape || !fits(expected, shape))
    return withValueAt(answer, pointer, read);
  return withValueAt(
    answer,
    pointer,
    shape.kind === 'number' && shape.asNumber ? Number(expected) : expected,
  );
}

/** Compares a value read with one quoted in feedback: numbers by value, texts by spelling. */
function isSame(read: JsonValue, quoted: string): boolean {
  const text = String(read);
  const number = /^-?\d+(\.\d+)?$/;
  const canonical = (value: string): string =>
    number.test(value) && value.includes('.') ? value.replace(/\.?0+$/, '') : value;
  return canonical(text) === canonical(quoted);
}

function fits(value: string, shape: Shape): boolean {
  switch (shape.kind) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(value) && (!shape.pattern || shape.pattern.test(value));
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(value);
    case 'currency':
      return /^[A-Z]{3}$/.test(value);
    case 'choice':
      return shape.options.includes(value);
    default:
      return false;
  }
}

function shapeAt(fields: readonly Field[], pointer: string): Shape | undefined {
  let shape: Shape | undefined = { kind: 'object', fields };
  for (const part of partsOf(pointer)) {
    if (shape?.kind === 'list') shape = shape.item;
    else if (shape?.kind === 'object') shape = shape.fields.find((field) => field.name === part)?.shape;
    else return undefined;
  }
  return shape;
}
