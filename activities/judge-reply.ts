import { createHash } from 'node:crypto';
import type { AttemptResult, NormalisationCount, Rejected } from '../src/domain/attempt-report.js';
import type { FailureClass } from '../src/domain/failure-class.js';
import type { Attempt, AttemptCommit, StoredJson } from '../src/ports/attempt-store.js';
import type { ExtractorReply } from '../src/ports/extractor.js';
import { readReply } from '../src/reply/read-reply.js';
import type { Reading, ReadValue } from '../src/reply/reading.js';
import { canonicalCandidate } from '../src/spec/canonical-candidate.js';
import { readRecord } from '../src/spec/read-record.js';
import type { Spec } from '../src/spec/spec.js';
import type { VerifyContext } from '../src/verification/constraint.js';
import type { Problem } from '../src/verification/problem.js';
import type { Verdict } from '../src/verification/verdict.js';
import { verify } from '../src/verification/verify.js';

/** What a reply came to: the result for history, and the texts for the store. */
export interface JudgedReply
  extends Pick<Attempt, 'problems' | 'contradiction' | 'candidate' | 'evidence' | 'ungrounded'>,
    Pick<AttemptCommit, 'verifierVersion'> {
  readonly result: AttemptResult;
  readonly normalisations: readonly NormalisationCount[];
}

/** Stop reason, then bytes, then schema, then rules. Pure but for hashing: no step reads an earlier step's error text. */
export function judgeReply(spec: Spec, reply: ExtractorReply, context: VerifyContext): JudgedReply {
  const replyHash = reply.text === '' ? null : sha256(reply.text);
  const verifierVersion = `${spec.id}@${spec.schemaVersion}`;
  const reading = readReply(reply);
  if (reading.kind === 'failure') return { ...unread(reading, replyHash), verifierVersion };
  return { ...judgeValue(spec, reading, context, replyHash), verifierVersion };
}

function judgeValue(
  spec: Spec,
  reading: ReadValue,
  context: VerifyContext,
  replyHash: string | null,
): Omit<JudgedReply, 'verifierVersion'> {
  const normalisations = counted(reading);
  const candidateHash = sha256(canonicalCandidate(spec, reading.value));
  const read = readRecord(spec, reading.value);
  const base = {
    normalisations,
    candidate: read.candidate as StoredJson,
    contradiction: null,
    evidence: [],
    ungrounded: [],
  };
  const rejected = (
    failureClass: FailureClass,
    problems: readonly Problem[],
    repairable: boolean,
  ): Rejected => ({
    kind: 'rejected',
    failureClass,
    problems: problems.map(({ rule, pointer }) => ({ rule, pointer })),
    candidateHash,
    replyHash,
    repairable,
    contradiction: null,
    truncation: null,
  });
  if (read.kind === 'problems') {
    return { ...base, problems: read.problems, result: rejected('schema', read.problems, true) };
  }
  const verdict = grounded(spec, verify(read.record, spec.constraints, context));
  switch (verdict.kind) {
    case 'fault': {
      const problems = [
        { rule: verdict.rule, pointer: '', message: verdict.message, expected: null, found: null },
      ];
      return { ...base, problems, result: rejected('verifier_fault', problems, false) };
    }
    case 'broken': {
      const { problems, contradiction, evidence, ungrounded } = verdict;
      const result = {
        ...rejected('constraint', problems, verdict.repairable),
        contradiction:
          contradiction === null ? null : { rules: contradiction.rules, pointer: contradiction.pointer },
      };
      return { ...base, problems, contradiction, evidence, ungrounded, result };
    }
    case 'holds': {
      const { evidence, ungrounded } = verdict;
      return { ...base, problems: [], evidence, ungrounded, result: { kind: 'accepted', candidateHash } };
    }
  }
}

/** Without a text layer nothing can be grounded; the spec says whether such a record may still verify. */
function grounded(spec: Spec, verdict: Verdict): Verdict {
  const [pointer] = verdict.kind === 'holds' ? verdict.ungrounded : [];
  if (verdict.kind !== 'holds' || pointer === undefined || spec.allowUngrounded) return verdict;
  const message = 'the document has no text layer in which this value could be found';
  return {
    ...verdict,
    kind: 'broken',
    problems: [{ rule: 'grounded', pointer, message, expected: null, found: null }],
    repairable: false,
    contradiction: null,
  };
}

function unread(
  reading: Exclude<Reading, ReadValue>,
  replyHash: string | null,
): Omit<JudgedReply, 'verifierVersion'> {
  const problem = {
    rule: `reply/${reading.code}`,
    pointer: '',
    message: reading.message,
    expected: null,
    found: null,
  };
  return {
    result: {
      kind: 'rejected',
      failureClass: reading.failureClass,
      problems: [{ rule: problem.rule, pointer: '' }],
      candidateHash: null,
      replyHash,
      repairable: true,
      contradiction: null,
      truncation: reading.truncation,
    },
    normalisations: [],
    problems: [problem],
    contradiction: null,
    candidate: null,
    evidence: [],
    ungrounded: [],
  };
}

function counted({ normalisations }: ReadValue): readonly NormalisationCount[] {
  const counts = new Map<string, number>();
  for (const { kind } of normalisations) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count }));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
