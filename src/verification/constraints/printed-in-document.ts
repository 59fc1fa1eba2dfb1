import type { Constraint, Finding, Inspection, VerifyContext } from '../constraint.js';
import { hasText } from '../document-text.js';
import type { Evidence } from '../evidence.js';
import { evidenceAt } from '../grounding/evidence-at.js';
import { areasOf, labelled, type PrintedLabel } from '../grounding/labels.js';
import {
  contains,
  type Found,
  type PrintKind,
  type Prints,
  printKinds,
  printsOf,
  type Sought,
} from '../grounding/locate.js';
import type { Place } from '../grounding/places.js';
import type { FoundValue } from '../grounding/placing.js';
import { readIn } from '../grounding/read-in.js';
import { indexOf, type TextIndex } from '../grounding/text-index.js';
import { maybeNamed } from '../making.js';
import { expand, get } from '../pointer.js';

export interface PrintedInDocument {
  readonly id?: string;
  readonly version?: number;
  // Pointer of a field, or a pattern such as /line_items/*/amount.
  readonly field: string;
  readonly kind: PrintKind;
  /** What documents print beside the field. Where one is printed with a value beside it, the value must be that one. */
  readonly labels?: readonly string[];
  /** True: the value must stand at one of the labels. For values that also occur elsewhere, such as a deductible. */
  readonly atLabel?: boolean;
  /** True: printed with or without a minus. */
  readonly anySign?: boolean;
  /** Pointer of the record's currency code, which helps to read `1,204`. */
  readonly currency?: string;
}

/**
 * The value is printed in the document: as this value, in any of the spellings papers use for it, and never as another
 * one. `not_printed` fails where a label of the field is printed, `blank` where something stands beside it. Without a
 * text layer nothing can be said: the value is `ungrounded`.
 */
export function printedInDocument(options: PrintedInDocument): Constraint<unknown> {
  const { field, version = 1 } = options;
  const inspect = (record: unknown, context: VerifyContext): Inspection => {
    const results = searched(record, context, options);
    return {
      findings: results.flatMap(({ finding }) => finding ?? []),
      evidence: results.flatMap(({ evidence }) => evidence ?? []),
      found: results.flatMap(({ found }) => found ?? []),
      ungrounded: results.flatMap(({ ungrounded }) => ungrounded ?? []),
    };
  };
  return {
    id: options.id ?? `printed${field.replaceAll('/*', '')}`,
    version,
    made: {
      by: 'printedInDocument',
      options,
      takes: ['id', 'version', 'field', 'kind', 'labels', 'atLabel', 'anySign', 'currency'],
      names: [
        { option: 'field', written: field, role: 'value', many: true },
        ...maybeNamed('currency', options.currency, 'currency'),
      ],
      fault: printKinds.includes(options.kind) ? null : `kind must be one of ${printKinds.join(', ')}`,
    },
    says: `${field.slice(1)} is printed in the document${options.atLabel === true ? ', at its label' : ''}`,
    repairable: true,
    check: (record, context) => inspect(record, context).findings,
    inspect,
  };
}

interface Searched {
  readonly finding?: Finding;
  readonly evidence?: Evidence;
  readonly found?: FoundValue;
  readonly ungrounded?: string;
}

function searched(record: unknown, { text }: VerifyContext, options: PrintedInDocument): readonly Searched[] {
  const index = hasText(text) ? indexOf(text) : null;
  const currency = options.currency === undefined ? null : get(record, options.currency);
  const look = { kind: options.kind, currency, anySign: options.anySign ?? false };
  const labels = index === null ? null : labelsIn(index, look, options);
  const known = new Map<string, Prints>();
  let last: Place | null = null;
  return expand(record, options.field).map(({ pointer, value }): Searched => {
    // What is no text at all is for the schema to say.
    if (typeof value !== 'string') return {};
    const isAbsent = value === 'not_printed' || value === 'blank';
    if (index === null || labels === null) return isAbsent ? {} : { ungrounded: pointer };
    if (isAbsent) return claimedAbsence(pointer, value, labels);
    const prints = known.get(value) ?? printsOf(index, { ...look, value });
    known.set(value, prints);
    const found = search(prints, labels, options.atLabel ?? false, last);
    if ('message' in found) return { finding: { pointer, found: value, ...found } };
    last = found;
    // A heading of a table stands above all of its rows, and says nothing about one of them.
    const areas = options.atLabel === true || !options.field.includes('*') ? labels.areas : [];
    const isAtLabel = areas.some((area) => contains(area, found));
    return {
      evidence: evidenceAt(index, pointer, found),
      found: { pointer, prints, found, within: isAtLabel ? areas : null },
    };
  });
}

/** A field's labels in a document, and what can be read at them: the same for every value of the field, so read once. */
interface Labels {
  readonly all: readonly PrintedLabel[];
  readonly areas: readonly Place[];
  /** What stands in any of the areas. */
  readonly values: readonly string[];
  /** What stands where a value can only be the field's own. */
  readonly ownValues: readonly string[];
}

function labelsIn(
  index: TextIndex,
  look: Omit<Sought, 'value'>,
  { labels = [], atLabel = false }: PrintedInDocument,
): Labels {
  const all = labelled(index, labels);
  const areas = areasOf(all);
  let [values, ownValues]: (readonly string[] | undefined)[] = [];
  return {
    all,
    areas,
    get values() {
      values ??= readIn(index, areas, look);
      return values;
    },
    get ownValues() {
      ownValues ??= atLabel ? this.values : readIn(index, areasBeside(all), look);
      return ownValues;
    },
  };
}

/** Where the value stands, or what to say when it does not: at a label first, then after the row before, then anywhere. */
function search(
  prints: Prints,
  labels: Labels,
  atLabel: boolean,
  from: Place | null,
): Found | Pick<Finding, 'message' | 'expected'> {
  const near = labels.areas.length === 0 ? null : prints.first({ from: null, within: labels.areas });
  if (near !== null) return near;
  const elsewhere = atLabel ? null : prints.first({ from, within: null });
  const beside = labels.ownValues;
  if (elsewhere !== null && beside.length === 0) return elsewhere;
  if (elsewhere !== null) {
    return { message: 'This value is not printed beside its label but elsewhere.', expected: oneOf(beside) };
  }
  if (!atLabel) return { message: 'This value is not printed in the document.', expected: oneOf(beside) };
  const message = 'This value is not printed in the document beside its label.';
  return { message, expected: oneOf(beside) ?? (labels.all.length === 0 ? 'not_printed' : 'blank') };
}

/** Where a value can only be the field's own. What stands below a label may belong to a table's column. */
function areasBeside(labels: readonly PrintedLabel[]): readonly Place[] {
  return labels.filter(({ isExact }) => isExact).flatMap(({ beside }) => beside);
}

/** A claimed absence, held against the labels that are printed. */
function claimedAbsence(pointer: string, found: string, labels: Labels): Searched {
  const expected = oneOf(labels.values);
  if (expected !== null) {
    const message = 'The document has this field, with a value beside its label.';
    return { finding: { pointer, message, expected, found } };
  }
  const isBlank = labels.all.some((label) => areasOf([label]).length === 0);
  if (found === 'blank' || !isBlank) return {};
  const message = 'The document has this field; nothing is written beside its label.';
  return { finding: { pointer, message, expected: 'blank', found } };
}

function oneOf(values: readonly string[]): string | null {
  return values.length === 0 ? null : [...new Set(values)].slice(0, 5).join(' or ');
}
