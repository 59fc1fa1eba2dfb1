import { EngineUnavailable } from '../ports/engine.js';
import type { Erasure, Holdings } from '../ports/retention-store.js';
import { StoreUnavailable } from '../ports/store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { readId } from './find-extraction.js';

/** Whose document, by its SHA-256 or by (the beginning of) the id of one of its extractions. */
export interface DocumentName {
  readonly tenant: string;
  readonly document: string;
}

/** What became of an erasure; `erasedAt` is the instant of the first one. */
export interface Erased extends Omit<Erasure, 'subjects'> {
  readonly tenant: string;
  readonly documentHash: string;
  readonly erasedAt: number;
}

/**
 * What is kept of a document. Throws ApplicationError `invalid_request`, or `not_found` in the same words whether nobody
 * has it or another tenant does.
 */
export async function findHoldings(
  { store }: Pick<Application, 'store'>,
  { tenant, document }: DocumentName,
): Promise<Holdings> {
  const id = readId(document);
  const byHash = id.length === 64 ? await store.retention.holdings(tenant, id) : null;
  if (byHash !== null) return byHash;
  const extraction = await store.extractions.find(id);
  const ofTenant = extraction?.tenant === tenant ? extraction : null;
  const holdings = ofTenant === null ? null : await store.retention.holdings(tenant, ofTenant.documentHash);
  if (holdings !== null) return holdings;
  throw notFound(tenant, id);
}

/**
 * Takes away what a document said, everywhere, and leaves what became of it in counts. A run of it that is under way
 * ends as `unreadable_document`; a review of it is withdrawn. Safe to repeat.
 *
 * Throws ApplicationError `not_found`, or `unavailable` when everything is erased but a review could not be told.
 */
export async function eraseDocument(
  app: Pick<Application, 'store' | 'engine' | 'now'>,
  { tenant, documentHash }: Pick<Holdings, 'tenant' | 'documentHash'>,
): Promise<Erased> {
  const before = await app.store.retention.holdings(tenant, documentHash);
  if (before === null) throw notFound(tenant, documentHash);
  const at = app.now();
  const { subjects, ...taken } = await app.store.retention.erase(tenant, documentHash, at);
  // What cannot be removed now is removed by the hourly sweep: it is on the list since the erasure's own transaction.
  await app.store.retention.removeLooseObjects(at).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new ApplicationError(
      'unavailable',
      'Everything of this document is erased but its bytes in object storage, which does not answer; they go within ' +
        'an hour of its return, or when the document is erased again.',
    );
  });
  for (const subject of subjects) {
    await app.engine.withdrawReview(subject).catch((error: unknown) => {
      if (!(error instanceof EngineUnavailable)) throw error;
      throw new ApplicationError(
        'unavailable',
        'Everything of this document is erased, but its review still waits in the engine, which does not answer; ' +
          'erase it again when the engine is back.',
      );
    });
  }
  const isNew = taken.bytes || taken.extractions > 0;
  return { tenant, documentHash, ...taken, erasedAt: isNew ? at : (before.erasedAt ?? at) };
}

function notFound(tenant: string, name: string): ApplicationError {
  return new ApplicationError(
    'not_found',
    `Tenant "${tenant}" has no document, and no single extraction, of the name "${name}".`,
  );
}
