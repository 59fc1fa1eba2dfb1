import type { ExplainedDiagnosis } from '../application/read-outcome.js';
import type { ExtractionSummary } from '../application/views/extraction-view.js';
import type { Money } from '../domain/money.js';
import type { Problem } from '../verification/problem.js';
import { oneLine } from './table.js';
import type { Colour } from './terminal.js';

/** Enough of an id to be typed and to be the only one: 48 bits. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

/** "2026-12-01 15:18Z": what a person needs of an instant; the JSON has all of it. */
export function minute(at: string): string;
export function minute(at: string | null): string | null;
export function minute(at: string | null): string | null {
  return at === null ? null : at.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}(?:\.\d+)?Z$/, '$1 $2Z');
}

export function duration(ms: number | null): string {
  if (ms === null) return '-';
  if (ms < 1_000) return `${ms} ms`;
  return ms < 100_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** "1 attempt", "2 attempts". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function price({ amount, currency }: Money): string {
  return `${amount} ${currency}`;
}

/** "sum @ /total": which rule broke, and where. */
export function place({ rule, pointer }: Pick<Problem, 'rule' | 'pointer'>): string {
  return pointer === '' ? rule : `${rule} @ ${pointer}`;
}

/** "sum @ /total: The amounts add up ... (expected 4.50, found 5.50)". */
export function problemLine(
  problem: Pick<Problem, 'rule' | 'pointer' | 'message' | 'expected' | 'found'>,
): string {
  const { message, expected, found } = problem;
  // Of what is empty, the message says all there is.
  if (found === '') return `${place(problem)}: ${oneLine(message)}`;
  const values = [
    ...(expected === null ? [] : [`expected ${oneLine(expected)}`]),
    ...(found === null ? [] : [`found ${oneLine(found)}`]),
  ];
  return `${place(problem)}: ${oneLine(message)}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
}

/** Reason and class as one word each: "contradiction (constraint)". */
export function why(run: Pick<ExtractionSummary, 'reason' | 'failureClass'>): string {
  if (run.reason === null) return '';
  return run.failureClass === null ? run.reason : `${run.reason} (${run.failureClass})`;
}

export function outcomeWord(run: Pick<ExtractionSummary, 'state' | 'outcomeKind'>): string {
  return run.outcomeKind ?? run.state;
}

export function outcomeColour(run: Pick<ExtractionSummary, 'state' | 'outcomeKind'>): Colour {
  if (run.outcomeKind === null) return 'dim';
  return run.outcomeKind === 'verified' ? 'green' : 'yellow';
}

export function diagnosisText(diagnosis: ExplainedDiagnosis): string {
  switch (diagnosis.kind) {
    case 'contradiction': {
      const pair = `${diagnosis.rules.join(' and ')} cannot both hold at ${diagnosis.pointer}`;
      const values = diagnosis.values === null ? '' : `: ${diagnosis.values.join(' against ')}`;
      return `${pair}${values}${diagnosis.explanation === null ? '' : `\n${diagnosis.explanation}`}`;
    }
    case 'oscillation':
      return `the model alternates between breaking ${diagnosis.rules.join(', ')}`;
    case 'unreadable':
      return `the document is ${diagnosis.fault.replaceAll('_', ' ')}`;
  }
}

/** Which model answered, and from which server; null when none answered. */
export function modelText(by: {
  readonly model: string | null;
  readonly provider: string | null;
}): string | null {
  if (by.model === null) return by.provider;
  return `${by.model} from ${by.provider ?? 'an unknown server'}`;
}
