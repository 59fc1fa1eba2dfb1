import { suggestion } from '../domain/nearest-word.js';
import { minorUnitsOf } from '../verification/currencies.js';
import type { DocumentText } from '../verification/document-text.js';
import { sizeOf } from '../verification/grounding/number-value.js';
import { type Place, printedAt } from '../verification/grounding/places.js';
import { indexOf, type TextIndex } from '../verification/grounding/text-index.js';
import { SpecError } from './spec-error.js';
import type { Template } from './template.js';

/** One field of a template: where its value stands, and how the print becomes a value. */
export interface TemplateField {
  /** Has a group called `value` around the print: `/Claim No\.: *(?<value>\S+)/`. Tried on each page. */
  readonly pattern: RegExp;
  /**
   * `identifier` and `text` are taken as printed; `money` becomes a plain decimal in the way the document writes
   * numbers, `date` an ISO date unless it has two readings, `currency` a code.
   */
  readonly type: 'identifier' | 'text' | 'money' | 'date' | 'currency';
}

export interface TemplateDefinition {
  readonly id: string;
  /** What only this layout prints; every pattern must be found somewhere in the text. */
  readonly detect: readonly RegExp[];
  readonly fields: { readonly [name: string]: TemplateField };
}

const types: readonly string[] = ['identifier', 'text', 'money', 'date', 'currency'];

/**
 * Makes a template: an extractor without a model for one layout. A field is found when its pattern matches and all its
 * matches say the same; a value is always a stretch of the text, so nothing that is not printed can come out.
 * @throws SpecError when there is nothing to recognise the layout by, no field, or a pattern without its group.
 */
export function defineTemplate({ id, detect, fields }: TemplateDefinition): Template {
  const refuse = (why: string) => new SpecError(`The template "${id}" cannot be used: ${why}`);
  if (detect.length === 0) throw refuse('give it at least one pattern to recognise its layout by.');
  const entries = Object.entries(fields);
  if (entries.length === 0) throw refuse('give it at least one field.');
  for (const [name, { pattern, type }] of entries) {
    if (!types.includes(type))
      throw refuse(`the type of "${name}" cannot be "${String(type)}"${suggestion(String(type), types)}`);
    if (!(pattern instanceof RegExp)) throw refuse(`the pattern of "${name}" must be a regular expression.`);
    if (!pattern.source.includes('(?<value>')) {
      throw refuse(`the pattern of "${name}" needs a group (?<value>...) around the print.`);
    }
  }
  return {
    id,
    fields: entries.map(([name]) => name),
    recognises: ({ pages }) =>
      detect.every((pattern) => pages.some((page) => everywhere(pattern, page).length > 0)),
    extract(text) {
      const index = indexOf(text);
      return Object.fromEntries(
        entries.flatMap(([name, field]) => {
          const value = literalValue(index, text, field);
          return value === null ? [] : [[name, value]];
        }),
      );
    },
  };
}

function literalValue(
  index: TextIndex,
  { pages }: DocumentText,
  { pattern, type }: TemplateField,
): string | null {
  const places = pages.flatMap((page, at) =>
    everywhere(pattern, page).flatMap((match): readonly Place[] => {
      const [start, end] = match.indices?.groups?.['value'] ?? [0, 0];
      return end > start ? [{ page: at + 1, start, end }] : [];
    }),
  );
  const values = new Set(places.map((place) => read(index, place, type)));
  const [value, ...others] = values;
  return value === undefined || others.length > 0 ? null : value;
}

/** All matches, with the offsets of their groups, whatever flags the pattern came with. */
function everywhere(pattern: RegExp, page: string): readonly RegExpExecArray[] {
  const flags = new Set(`${pattern.flags.replace('y', '')}dg`);
  return [...page.matchAll(new RegExp(pattern.source, [...flags].join('')))];
}

function read(index: TextIndex, place: Place, type: TemplateField['type']): string | null {
  const lines = index.linesIn([place]);
  const within = (other: Place) =>
    other.page === place.page && other.start >= place.start && other.end <= place.end;
  switch (type) {
    case 'identifier':
    case 'text': {
      const printed = printedAt(index, place).trim();
      return printed === '' ? null : printed;
    }
    case 'money': {
      const numbers = lines.flatMap((line) => index.numbersOn(line)).filter(within);
      const [only] = numbers;
      if (only === undefined || numbers.length > 1 || only.number.sign === 'either') return null;
      const sign = only.number.sign === 'minus' ? '-' : '';
      return `${sign}${sizeOf(only.number, index, minorUnitsOf(onlyCurrency(index)))}`;
    }
    case 'date': {
      const dates = lines.flatMap((line) => index.datesOn(line)).filter(within);
      return onlyOf(dates.flatMap(({ readings }) => readings));
    }
    case 'currency': {
      const marks = lines.flatMap((line) => index.currenciesOn(line)).filter(within);
      return onlyOf(marks.map(({ code }) => code));
    }
  }
}

/** The currency of a document that names just one; it helps to read `1,204`. */
function onlyCurrency(index: TextIndex): string | null {
  return onlyOf(index.currencies);
}

function onlyOf(values: readonly string[]): string | null {
  const [value, ...others] = new Set(values);
  return value === undefined || others.length > 0 ? null : value;
}
