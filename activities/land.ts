import { bestCandidate } from '../src/domain/best-candidate.js';
import type { Ending } from '../src/domain/decision.js';
import type { RunRef } from '../src/domain/extraction-input.js';
import { chooseRoute } from '../src/domain/routing.js';
import { tellEnded } from '../src/ports/observer.js';
import { StoreUnavailable } from '../src/ports/store.js';
import { untraced } from '../src/ports/tracing.js';
import { routingFacts } from '../src/spec/routing-facts.js';
import type { LandInput, LandOutput, StoreActivities } from './contract.js';
import type { ActivityDependencies } from './dependencies.js';
import { finalFailure } from './fault-failure.js';
import { type OpenDocument, openDocument } from './open-document.js';

/**
 * Gathers the facts, chooses the route and closes the run by compare-and-set, in that order: a crash in between
 * leaves an open row and this activity is simply run again.
 */
export function createLand(deps: ActivityDependencies): StoreActivities['land'] {
  const { tracing = untraced } = deps;
  return ({ ref, ...input }) =>
    tracing.span('land', { extraction: ref.key, run: ref.run, spec: ref.specId }, () =>
      land(deps, { ref, ...input }),
    );
}

async function land(deps: ActivityDependencies, input: LandInput): Promise<LandOutput> {
  const { ref } = input;
  const extraction = await deps.store.extractions.find(ref.key, ref.run);
  if (extraction === null) throw finalFailure('internal_error');
  const attempts = await deps.store.attempts.list(ref.key, ref.run);
  const best = bestCandidate(attempts);
  const spec = deps.catalogue.find({ ...ref, id: ref.specId });
  const document = await documentIfPossible(deps, ref);
  const ending = withDiagnosis(input.ending, document);
  const facts =
    ending.kind === 'verified'
      ? null
      : routingFacts({
          ...ending,
          tenant: extraction.tenant,
          tags: extraction.tags,
          best,
          spec,
          document: document.kind === 'readable' ? document : null,
        });
  const route = facts === null ? null : chooseRoute(extraction.policy.routes, facts, input.tried);
  const at = deps.now();
  const landed = await deps.store.extractions.land({
    ref,
    ending,
    at,
    route,
    bestAttempt: best?.report.attempt ?? null,
    amount: facts?.amount ?? null,
    reviewDueAt: route === 'human_review' ? at + input.reviewSlaMs : null,
  });
  const { outcome } = landed;
  const { attempts: made, tokens } = landed.extraction;
  const late = outcome === 'verified' ? await deps.store.attempts.stored(ref, made) : null;
  const withdrewReview = late?.withdrewReview ?? false;
  if (deps.observer !== undefined) tellEnded(deps.observer, ref, landed, at);
  return { outcome, route: landed.route, attempts: made, tokens, withdrewReview };
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

/** Says in the outcome what was wrong with the document's bytes. */
function withDiagnosis(ending: Ending, document: OpenDocument): Ending {
  if (ending.kind === 'verified' || ending.reason !== 'unreadable_document' || document.kind === 'readable')
    return ending;
  return { ...ending, diagnosis: { kind: 'unreadable', fault: document.fault } };
}
