import type { Behaviour } from './behaviour.js';
import { roll } from './dice.js';
import type { Complaint, Feedback } from './feedback.js';
import { isArray, isObject, type JsonValue, objectsIn } from './json.js';
import type { Line } from './page-lines.js';
import { partsOf, valueAt, withValueAt } from './pointer.js';
import { readCarefully } from './reading.js';
import type { Field, Shape } from './shape.js';
import { isMended, relapse, type Slip, slipsOf, withSlips } from './slips.js';

const NUMBER = /^-?\d+(\.\d+)?$/;

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
  const told = feedback.complaints.reduce(
    (current, complaint) => corrected(current, complaint, careful, slips, fields),
    answer,
  );
  return withSlips(told, relapse(reading, feedback, behaviour, document));
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
  // The sum of rows it has since read again is not what the document says.
  const misled =
    expected !== null && isColumnSum(expected, withSlips(careful, slips)) && !isColumnSum(expected, careful);
  if (misled || expected === null || !shape || !fits(expected, shape))
    return withValueAt(answer, pointer, read);
  return withValueAt(
    answer,
    pointer,
    shape.kind === 'number' && shape.asNumber ? Number(expected) : expected,
  );
}

/** Is `expected` the exact sum of a column of some table in the record? */
function isColumnSum(expected: string, record: JsonValue): boolean {
  if (!isObject(record)) return false;
  return Object.values(record).some((table) => {
    const rows = objectsIn(table);
    return Object.keys(rows[0] ?? {}).some((column) => {
      const cells = rows.map((row) => String(row[column]));
      return cells.every((cell) => NUMBER.test(cell)) && isSame(exactSum(cells), expected);
    });
  });
}

/** Adds plain decimals without rounding. */
function exactSum(decimals: readonly string[]): string {
  const places = Math.max(0, ...decimals.map((each) => each.split('.')[1]?.length ?? 0));
  const units = decimals.map((each) => {
    const [whole = '0', fraction = ''] = each.split('.');
    return BigInt(whole + fraction.padEnd(places, '0'));
  });
  const sum = units.reduce((total, each) => total + each, 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, '0');
  const cut = digits.length - places;
  return `${sum < 0n ? '-' : ''}${digits.slice(0, cut)}${places > 0 ? `.${digits.slice(cut)}` : ''}`;
}

/** Compares a value read with one quoted in feedback: numbers by value, texts by spelling. */
function isSame(read: JsonValue, quoted: string): boolean {
  const text = String(read);
  const canonical = (value: string): string =>
    NUMBER.test(value) && value.includes('.') ? value.replace(/\.?0+$/, '') : value;
  return canonical(text) === canonical(quoted);
}

function fits(value: string, shape: Shape): boolean {
  switch (shape.kind) {
    case 'number':
      return NUMBER.test(value) && (!shape.pattern || shape.pattern.test(value));
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
