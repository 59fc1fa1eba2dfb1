import { EngineUnavailable } from '../ports/engine.js';
import type { Erasure, Holdings } from '../ports/retention-store.js';
import { type Store, StoreUnavailable } from '../ports/store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { readId } from './find-extraction.js';

/** Whose document (null: everybody's), by its SHA-256 or by (the beginning of) the id of one of its extractions. */
export interface DocumentName {
  readonly tenant: string | null;
  readonly document: string;
}

/** What became of an erasure; `erasedAt` is the instant of the first one. */
export interface Erased extends Omit<Erasure, 'subjects'> {
  readonly tenant: string;
  readonly documentHash: string;
  /** Other tenants that keep the same bytes, which are theirs; never told to who sees one tenant only. */
  readonly alsoHeldBy: readonly string[];
  readonly erasedAt: number;
}

/**
 * What is kept of a document, by tenant; never nothing. Throws ApplicationError `invalid_request`, or `not_found` in the
 * same words whether nobody has it or another tenant does.
 */
export async function findHoldings(
  { store }: Pick<Application, 'store'>,
  { tenant, document }: DocumentName,
): Promise<readonly Holdings[]> {
  const id = readId(document);
  const byHash = id.length === 64 ? await holdingsOf(store, tenant, id) : [];
  if (byHash.length > 0) return byHash;
  const extraction = await store.extractions.find(id);
  const isMeant = extraction !== null && (tenant === null || extraction.tenant === tenant);
  const holdings = isMeant ? await holdingsOf(store, tenant, extraction.documentHash) : [];
  if (holdings.length > 0) return holdings;
  // Nobody keeps anything of it any more, but whose it was is known.
  if (isMeant) return await holdingsOf(store, extraction.tenant, extraction.documentHash);
  throw notFound(tenant, id);
}

async function holdingsOf(
  { retention }: Store,
  tenant: string | null,
  documentHash: string,
): Promise<readonly Holdings[]> {
  const tenants = tenant === null ? await retention.holders(documentHash) : [tenant];
  const found: Holdings[] = [];
  for (const holder of tenants) {
    const holdings = await retention.holdings(holder, documentHash);
    if (holdings !== null) found.push(holdings);
  }
  return found;
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
  const alsoHeldBy = await otherHolders(app, { tenant, documentHash });
  return { tenant, documentHash, ...taken, erasedAt: isNew ? at : (before.erasedAt ?? at), alsoHeldBy };
}

/** Other tenants, of those who may be seen, that keep the same bytes. */
export async function otherHolders(
  { store }: Pick<Application, 'store'>,
  { tenant, documentHash }: Pick<Holdings, 'tenant' | 'documentHash'>,
): Promise<readonly string[]> {
  return (await store.retention.holders(documentHash)).filter((holder) => holder !== tenant);
}

function notFound(tenant: string | null, name: string): ApplicationError {
  const whose =
    tenant === null ? 'No tenant has a document, or a' : `Tenant "${tenant}" has no document, and no`;
  return new ApplicationError('not_found', `${whose} single extraction, of the name "${name}".`);
}
