import type { DocumentText } from '../verification/document-text.js';
import type { Evidence } from '../verification/evidence.js';
import type { Problem } from '../verification/problem.js';
import type { Contradiction } from '../verification/verdict.js';
import { verify } from '../verification/verify.js';
import { type PlainJson, readRecord } from './read-record.js';
import type { Spec } from './spec.js';

/** What a person's record came to: its shape is wrong, or it has these unmet rules (none: it holds). */
export interface ValuesJudged {
  readonly kind: 'misshapen' | 'checked';
  /** Broken rules; of a misshapen record what is wrong with its shape, since rules were not asked. */
  readonly unmet: readonly Problem[];
  readonly contradiction: Contradiction | null;
  readonly evidence: readonly Evidence[];
  /** Pointers of values that no text layer could ground. */
  readonly ungrounded: readonly string[];
}

/**
 * Asks the schema and the rules of a spec about values a person stands for. Pure, and never throws: a rule that does is
 * an unmet one. `text` is null when the document has no text layer or is no longer kept.
 */
export function judgeValues(spec: Spec, values: PlainJson, text: DocumentText | null): ValuesJudged {
  const nothing = { contradiction: null, evidence: [], ungrounded: [] };
  const reading = readRecord(spec, values);
  if (reading.kind === 'problems') return { kind: 'misshapen', unmet: reading.problems, ...nothing };
  // A person's change is not a repair's: there is no earlier candidate that it must be defended against.
  const verdict = verify(reading.record, spec.constraints, { text, previous: null });
  if (verdict.kind === 'fault') {
    const { rule, message } = verdict;
    const unmet = [{ rule, pointer: '', message, expected: null, found: null }];
    return { kind: 'checked', unmet, ...nothing };
  }
  const { evidence, ungrounded } = verdict;
  if (verdict.kind === 'holds')
    return { kind: 'checked', unmet: [], contradiction: null, evidence, ungrounded };
  const { problems: unmet, contradiction } = verdict;
  return { kind: 'checked', unmet, contradiction, evidence, ungrounded };
}
