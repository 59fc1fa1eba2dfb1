import type { DocumentText } from '../verification/document-text.js';
import type { Problem } from '../verification/problem.js';
import type { Contradiction } from '../verification/verdict.js';
import { verify } from '../verification/verify.js';
import { printRecord } from './print-record.js';
import { problemsOf } from './read-record.js';
import type { Spec } from './spec.js';

/** A record known to be right, and the text it was read from; without a text, one that prints the record is made up. */
export interface KnownGood {
  readonly name: string;
  readonly record: unknown;
  readonly text: DocumentText | null;
}

/** What a spec says about one record that it should accept. */
export type SpecFinding = { readonly name: string } & (
  | {
      readonly kind: 'contradiction';
      readonly contradiction: Contradiction;
      readonly problems: readonly Problem[];
    }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'fault'; readonly message: string }
);

export interface SpecCheck {
  /** Records that were tried. Zero means that nothing was checked. */
  readonly records: number;
  /** How many of them are the spec's own examples; the others are of a truth set. */
  readonly examples: number;
  /** Records that the spec would refuse, contradictions first. None: the spec accepts all it should. */
  readonly findings: readonly SpecFinding[];
}

/** One currency for every number of decimals that currencies have: none, two, three, four. */
const currencyClasses: readonly (readonly [currency: string, minorUnits: number])[] = [
  ['JPY', 0],
  ['EUR', 2],
  ['BHD', 3],
  ['CLF', 4],
];

/**
 * Runs a spec over records that it must accept: its own examples in every class of currencies, and the truth records
 * given. A pair of rules that no value can satisfy is found here, before it meets a document.
 */
export function checkSpec(spec: Spec, truths: readonly KnownGood[]): SpecCheck {
  const examples = currencyClasses.flatMap(([currency, minorUnits]) =>
    (spec.examples?.(currency, minorUnits) ?? []).map((record, index) => ({
      name: `example ${index + 1} in ${currency} (${minorUnits} decimals)`,
      record,
      text: null,
    })),
  );
  const records = [...examples, ...truths];
  const findings = records.flatMap((known) => findingOf(spec, known) ?? []);
  return {
    records: records.length,
    examples: examples.length,
    findings: [
      ...findings.filter(({ kind }) => kind === 'contradiction'),
      ...findings.filter(({ kind }) => kind !== 'contradiction'),
    ],
  };
}

function findingOf(spec: Spec, { name, record, text }: KnownGood): SpecFinding | null {
  const shape = problemsOf(spec, record);
  if (shape.length > 0) return { name, kind: 'refused', problems: shape };
  const context = { text: text ?? printRecord(spec.fields, record), previous: null };
  const verdict = verify(record, spec.constraints, context);
  if (verdict.kind === 'holds') return null;
  if (verdict.kind === 'fault') return { name, kind: 'fault', message: verdict.message };
  const { problems, contradiction } = verdict;
  // A print made up from the record says nothing about a document that contradicts itself: the record is wrong.
  const isOfDocument = spec.constraints.some(
    ({ id, inspect }) => inspect !== undefined && contradiction?.rules.includes(id) === true,
  );
  return contradiction === null || (isOfDocument && text === null)
    ? { name, kind: 'refused', problems }
    : { name, kind: 'contradiction', contradiction, problems };
}
