import type { AttemptReport, AttemptResult } from '../domain/attempt-report.js';
import type { AttemptDecision } from '../domain/decision.js';
import { ofAttempt } from '../domain/estimate.js';
import type { FailureClass } from '../domain/failure-class.js';
import type { Policy } from '../domain/policy.js';
import { type Dice, logNormal, pick } from './dice.js';
import type { DocumentKind } from './scenario.js';

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
  const failureClass = pick(dice, kind.fails).failureClass;
  const isCut = kind.outputTokens > maxTokens;
  const result: AttemptResult = isCut
    ? rejected(id, kind, attempt, 'truncated')
    : isBroken
      ? rejected(id, kind, attempt, 'schema')
      : luck < ofAttempt(kind.pass, attempt)
        ? { kind: 'accepted', candidateHash: id }
        : rejected(id, kind, attempt, failureClass);
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
const pair = ['rule-a', 'rule-b'] as const;

function rejected(
  id: string,
  { answers }: DocumentKind,
  attempt: number,
  failureClass: FailureClass,
): AttemptResult {
  const turn = answers === 'alternating' || answers === 'contradicting' ? attempt % 2 : 0;
  const text = answers === 'new' ? `${id}.${attempt}` : `${id}.${turn}`;
  const isWhole = hasCandidate.has(failureClass);
  return {
    kind: 'rejected',
    failureClass,
    problems: isWhole ? [{ rule: pair[turn] ?? pair[0], pointer: '/total' }] : [],
    candidateHash: isWhole ? text : null,
    replyHash: failureClass === 'empty' ? null : text,
    repairable: true,
    contradiction: isWhole && answers === 'contradicting' ? { rules: pair, pointer: '/total' } : null,
    truncation: failureClass === 'truncated' ? 'max_tokens' : null,
  };
}
