import { judgeReply } from '../../activities/judge-reply.js';
import { buildRequest } from '../../activities/request.js';
import type { Sample } from '../../samples/generator/sample.js';
import type { AttemptReport } from '../../src/domain/attempt-report.js';
import { decide } from '../../src/domain/decide.js';
import type { AttemptDecision, Ending } from '../../src/domain/decision.js';
import { evolve } from '../../src/domain/evolve.js';
import { initialState } from '../../src/domain/initial-state.js';
import type { RouteName } from '../../src/domain/route.js';
import { chooseRoute } from '../../src/domain/routing.js';
import type { DocumentReader } from '../../src/ports/document-reader.js';
import type { Extractor } from '../../src/ports/extractor.js';
import type { Spec } from '../../src/spec/spec.js';
import { formatReminder, renderFeedback } from '../../src/verification/feedback.js';
import type { Problem } from '../../src/verification/problem.js';

/** What a sample came to, with the facts its truth speaks of. */
export interface Fate {
  readonly ending: Ending | { readonly kind: 'unreadable' };
  readonly attemptClasses: readonly string[];
  readonly calls: number;
  readonly record: unknown;
  readonly route: RouteName | null;
}

/**
 * Takes one sample through the product's own decisions, requests, reading and rules, with a real model server behind
 * the extractor and nothing around them: no store, no engine, no clock.
 */
export async function runSample(
  sample: Sample,
  spec: Spec,
  extractor: Extractor,
  reader: DocumentReader,
): Promise<Fate> {
  const mediaType = sample.file.endsWith('.pdf') ? 'application/pdf' : 'text/plain';
  const document = await reader.read({ mediaType, bytes: sample.bytes });
  if (document.kind === 'unreadable') {
    return {
      ending: { kind: 'unreadable' },
      attemptClasses: [],
      calls: 0,
      record: null,
      route: 'dead_letter',
    };
  }
  const { text } = document;
  let state = initialState(spec.policy, 0);
  let problems: readonly Problem[] = [];
  let candidate: unknown = null;
  const reports: AttemptReport[] = [];

  const attempt = async (decision: AttemptDecision): Promise<AttemptReport> => {
    const feedback = { none: null, format: formatReminder, problems: renderFeedback(problems) }[
      decision.feedback.kind
    ];
    const request = buildRequest(spec, decision, { mediaType, bytes: sample.bytes }, feedback);
    const reply = await extractor.call(request, { signal: new AbortController().signal, timeoutMs: 30_000 });
    const judged = judgeReply(spec, reply, { text, previous: candidate });
    problems = judged.problems;
    candidate = judged.candidate ?? candidate;
    const { attempt: number, lane, model, maxTokens } = decision;
    const { result, normalisations } = judged;
    const { tokens, cost } = reply.spending;
    const call = { requestId: reply.requestId, usage: reply.usage, tokens, cost, durationMs: 1, calls: 1 };
    return { attempt: number, lane, model, maxTokens, promptVersion: '1', result, normalisations, ...call };
  };

  for (;;) {
    const decision = decide(state, 0);
    if (decision.kind === 'land') {
      const { ending } = decision;
      return {
        ending,
        attemptClasses: reports.flatMap(({ result }) =>
          result.kind === 'rejected' ? [result.failureClass] : [],
        ),
        calls: reports.length,
        record: ending.kind === 'verified' ? candidate : null,
        route: routeOf(
          ending,
          spec,
          candidate !== null,
          text !== null && spec.templates.some((each) => each.recognises(text)),
        ),
      };
    }
    if (decision.kind === 'wait') throw new Error('Nothing here is worth waiting for.');
    if (decision.kind === 'permit') {
      state = evolve(state, { kind: 'PermitGranted', at: 0, attempt: decision.attempt });
      continue;
    }
    const report = await attempt(decision);
    reports.push(report);
    state = evolve(state, { kind: 'AttemptReported', at: 0, report });
  }
}

function routeOf(
  ending: Ending,
  spec: Spec,
  hasCandidate: boolean,
  templateRecognised: boolean,
): RouteName | null {
  if (ending.kind === 'verified') return null;
  const { reason, failureClass, repliesRead } = ending;
  const facts = { reason, failureClass, repliesRead, hasCandidate, templateRecognised };
  return chooseRoute(
    spec.policy.routes,
    { ...facts, amount: null, tenant: 'tenant', tags: [], pages: 1 },
    [],
  );
}
