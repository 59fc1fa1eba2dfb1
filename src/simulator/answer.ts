import type { AttemptReport, AttemptResult } from '../domain/attempt-report.js';
import type { AttemptDecision } from '../domain/decision.js';
import { ofAttempt } from '../domain/estimate.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { Policy } from '../domain/policy.js';
import { type Dice, logNormal, pick } from './dice.js';
import type { Answers, DocumentKind } from './scenario.js';

/** Simulated calls are counted in tokens; money is theirs times a price. */
const free = { amount: '0', currency: 'XXX' };

/** One simulated attempt's report. `isBroken`: whatever the document is, the prompt in use makes every reply wrong. */
export function answer(
  dice: Dice,
  id: string,
  kind: DocumentKind,
  policy: Policy,
  decision: AttemptDecision,
  isBroken: boolean,
): AttemptReport {
  const { attempt, lane, model, maxTokens } = decision;
  // Every attempt throws the same dice whatever comes of it, so that a document is the same in every world.
  const slowness = logNormal(dice, ofAttempt(kind.medianMs, attempt), kind.spread);
  const luck = dice.next();
  const drawnClass = pick(dice, kind.fails).failureClass;
  const isCut = kind.outputTokens > maxTokens;
  const result: AttemptResult = isCut
    ? rejected(id, kind, attempt, 'truncated')
    : isBroken
      ? rejected(id, kind, attempt, 'schema')
      : luck < ofAttempt(kind.pass, attempt)
        ? { kind: 'accepted', candidateHash: id }
        : rejected(id, kind, attempt, drawnClass);
  // A reply that is cut off was written up to the ceiling; a higher ceiling takes longer to reach.
  const length = isCut ? maxTokens / ofAttempt(policy.tokenCeilings, 1) : 1;
  const outputTokens = Math.min(kind.outputTokens, maxTokens);
  return {
    attempt,
    lane,
    model,
    maxTokens,
    promptVersion: '1',
    requestId: null,
    result,
    normalisations: [],
    usage: {
      inputTokens: kind.inputTokens,
      outputTokens,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      thinkingTokens: 0,
    },
    tokens: kind.inputTokens + outputTokens,
    cost: free,
    durationMs: Math.max(1, Math.round(slowness * length)),
    calls: 1,
  };
}

const hasCandidate: ReadonlySet<FailureClass> = new Set<FailureClass>(['schema', 'constraint']);
/** Of these answers something is said about a whole candidate: there has to be one. */
const needCandidate: ReadonlySet<Answers> = new Set<Answers>([
  'alternating',
  'contradicting',
  'unrepairable',
]);
const pair = ['rule-a', 'rule-b'] as const;

function rejected(id: string, kind: DocumentKind, attempt: number, drawnClass: FailureClass): AttemptResult {
  const answers = ofAttempt(kind.answers, attempt);
  const turn = answers === 'alternating' || answers === 'contradicting' ? attempt % 2 : 0;
  // What is new is like nothing before it, neither in its text nor in the rule it breaks.
  const text = answers === 'new' ? `${id}.${attempt}` : `${id}/${turn}`;
  const rule = answers === 'new' ? 'rule' : (pair[turn] ?? pair[0]);
  // A reply that is cut off is cut off whatever it would have said.
  const isKept = drawnClass === 'truncated' || hasCandidate.has(drawnClass) || !needCandidate.has(answers);
  const failureClass = isKept ? drawnClass : 'constraint';
  const isWhole = hasCandidate.has(failureClass);
  return {
    kind: 'rejected',
    failureClass,
    problems: isWhole ? [{ rule, pointer: '/total' }] : [],
    candidateHash: isWhole ? text : null,
    replyHash: failureClass === 'empty' ? null : text,
    repairable: answers !== 'unrepairable',
    contradiction: isWhole && answers === 'contradicting' ? { rules: pair, pointer: '/total' } : null,
    truncation: failureClass === 'truncated' ? 'max_tokens' : null,
  };
}
