import { bestCandidate } from '../src/domain/best-candidate.js';
import type { Ending } from '../src/domain/decision.js';
import type { RunRef } from '../src/domain/extraction-input.js';
import type { Money } from '../src/domain/money.js';
import type { RoutingFacts } from '../src/domain/route.js';
import { chooseRoute } from '../src/domain/routing.js';
import type { Attempt } from '../src/ports/attempt-store.js';
import type { Extraction } from '../src/ports/extraction-store.js';
import { StoreUnavailable } from '../src/ports/store.js';
import type { Spec } from '../src/spec/spec.js';
import type { StoreActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { finalFailure } from './fault-failure.js';
import { type OpenDocument, openDocument } from './open-document.js';
import { recognisingTemplates } from './templates.js';

/**
 * Gathers the facts, chooses the route and closes the run by compare-and-set, in that order: a crash in between
 * leaves an open row and this activity is simply run again.
 */
export function createLand(deps: ActivityDependencies): StoreActivities['land'] {
  return async (input) => {
    const { ref } = input;
    const extraction = await deps.store.extractions.find(ref.key, ref.run);
    if (extraction === null) throw finalFailure('internal_error');
    const attempts = await deps.store.attempts.list(ref.key, ref.run);
    const best = bestCandidate(attempts);
    const spec = deps.catalogue.find({ ...ref, id: ref.specId });
    const document = await documentIfPossible(deps, ref);
    const amount = spec === null || best === null ? null : amountOf(spec, best);
    const ending = withDiagnosis(input.ending, document);
    const route =
      ending.kind === 'verified'
        ? null
        : chooseRoute(
            extraction.policy.routes,
            factsOf(ending, extraction, amount, best, spec, document),
            input.tried,
          );
    const at = deps.now();
    const landed = await deps.store.extractions.land({
      ref,
      ending,
      at,
      route,
      bestAttempt: best?.report.attempt ?? null,
      amount,
      reviewDueAt: route === 'human_review' ? at + input.reviewSlaMs : null,
    });
    const { outcome } = landed;
    const { attempts: made, tokens } = landed.extraction;
    const late = outcome === 'verified' ? await deps.store.attempts.stored(ref, made) : null;
    const withdrewReview = late?.withdrewReview ?? false;
    return { outcome, route: landed.route, attempts: made, tokens, withdrewReview };
  };
}

/** An ending must land whatever the document does to its reader: then routing simply knows less. */
async function documentIfPossible(deps: ActivityDependencies, ref: RunRef): Promise<OpenDocument> {
  try {
    return await openDocument(deps, ref);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return { kind: 'unreadable', fault: 'corrupt' };
  }
}

/** An unverified candidate may hold anything, so asking it for its amount may fail: then there is none. */
function amountOf(spec: Spec, best: Attempt): Money | null {
  try {
    return spec.amount(best.candidate);
  } catch {
    return null;
  }
}

/** Says in the outcome what was wrong with the document's bytes. */
function withDiagnosis(ending: Ending, document: OpenDocument): Ending {
  if (ending.kind === 'verified' || ending.reason !== 'unreadable_document' || document.kind === 'readable')
    return ending;
  return { ...ending, diagnosis: { kind: 'unreadable', fault: document.fault } };
}

function factsOf(
  ending: Extract<Ending, { kind: 'unverified' }>,
  extraction: Extraction,
  amount: Money | null,
  best: Attempt | null,
  spec: Spec | null,
  document: OpenDocument,
): RoutingFacts {
  const text = document.kind === 'readable' ? document.text : null;
  return {
    reason: ending.reason,
    failureClass: ending.failureClass,
    repliesRead: ending.repliesRead,
    amount,
    templateRecognised: text !== null && spec !== null && recognisingTemplates(spec, text).length > 0,
    hasCandidate: best !== null,
    tenant: extraction.tenant,
    tags: extraction.tags,
    pages: document.kind === 'readable' ? document.pages : null,
  };
}
