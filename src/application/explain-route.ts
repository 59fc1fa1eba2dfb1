import { bestCandidate } from '../domain/best-candidate.js';
import type { Route, RouteName, RoutingFacts } from '../domain/route.js';
import { explainRoute, type RouteExplanation } from '../domain/routing.js';
import type { Extraction } from '../ports/extraction-store.js';
import { routingFacts } from '../spec/routing-facts.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { findExtraction } from './find-extraction.js';
import { currentSpec } from './submit-extraction.js';
import { instant } from './views/instant.js';

/** An exhausted case, and a route that was tried for it before. */
export interface ExhaustedCase {
  readonly facts: RoutingFacts;
  readonly tried: readonly RouteName[];
}

/** Where a case goes and why. */
export interface ExplainedCase extends ExhaustedCase {
  /** Whose table it is: the spec's of today, or the one that an extraction was started with. */
  readonly table: string;
  /** In order; a second one when the fallback found nothing and passed the document on. */
  readonly explanations: readonly RouteExplanation[];
  /** Where it really went; null for a case that is only supposed, and for an extraction that went nowhere. */
  readonly went: RouteName | null;
}

/** Where a supposed case would go under the current table of a spec. Throws ApplicationError `unknown_spec`. */
export function explainCase(
  app: Pick<Application, 'catalogue'>,
  specId: string,
  { facts, tried }: ExhaustedCase,
): ExplainedCase {
  const { routes } = currentSpec(app, specId).policy;
  const explanations = [explainRoute(routes, facts, tried)];
  return { table: `of ${specId}, as it is now`, facts, tried, explanations, went: null };
}

/**
 * Why an extraction went where it went: under the table that it was started with, or where it would go under the current
 * one of a spec. The facts are gathered anew, as they were when it landed.
 *
 * Throws ApplicationError: `not_found`, `unknown_spec`, `gone` when its document was erased, `invalid_request` when it
 * runs or verified.
 */
export async function explainExtraction(
  app: Pick<Application, 'store' | 'catalogue' | 'reader'>,
  id: string,
  specId: string | null,
): Promise<ExplainedCase> {
  const extraction = await findExtraction(app.store, id);
  const facts = await factsOf(app, extraction);
  const routes = specId === null ? extraction.policy.routes : currentSpec(app, specId).policy.routes;
  const table = specId === null ? `that it was started with` : `of ${specId}, as it is now`;
  return {
    table,
    facts,
    tried: [],
    explanations: passes(routes, facts, extraction.route),
    went: extraction.route,
  };
}

/** A fallback that found nothing is seen by where the document went after it. */
function passes(
  routes: readonly Route[],
  facts: RoutingFacts,
  went: RouteName | null,
): readonly RouteExplanation[] {
  const first = explainRoute(routes, facts, []);
  const passedOn = first.route === 'fallback' && went !== 'fallback' && went !== null;
  return passedOn ? [first, explainRoute(routes, facts, ['fallback'])] : [first];
}

async function factsOf(
  app: Pick<Application, 'store' | 'catalogue' | 'reader'>,
  extraction: Extraction,
): Promise<RoutingFacts> {
  const { key, run, tenant, documentHash, specId, reason, erasedAt } = extraction;
  if (reason === null) {
    const how = extraction.state === 'open' ? 'is still running' : 'is verified';
    throw new ApplicationError('invalid_request', `This extraction ${how}; only exhausted ones are routed.`);
  }
  if (erasedAt !== null) {
    throw new ApplicationError(
      'gone',
      `The document of this extraction was erased on ${instant(erasedAt)}, so the facts cannot be gathered.`,
    );
  }
  const stored = await app.store.documents.load(tenant, documentHash);
  const read = stored === null ? null : await app.reader.read(stored);
  return routingFacts({
    reason,
    failureClass: extraction.failureClass,
    repliesRead: extraction.attempts,
    tenant,
    tags: extraction.tags,
    best: bestCandidate(await app.store.attempts.list(key, run)),
    spec: app.catalogue.find({ ...extraction, id: specId }),
    document: read?.kind === 'readable' ? read : null,
  });
}
