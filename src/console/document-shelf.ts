import type { Application } from '../application/application.js';
import type { ReadDocument } from '../ports/document-reader.js';
import { pagesMediaType, unpackPages } from '../ports/page-images.js';
import type { PageLayout, PageReader } from '../ports/page-reader.js';
import type { StoredDocument } from '../ports/store.js';

/** How a document is put before a reader. */
export type DocumentKind = 'pdf' | 'text' | 'images' | 'unreadable' | 'gone';

/** A document that was taken from the store and looked into. */
export interface ShelvedDocument {
  readonly kind: DocumentKind;
  readonly stored: StoredDocument | null;
  readonly read: ReadDocument | null;
  readonly pages: number;
}

/** Documents that are being looked at, kept for a moment, since their pages are asked for one by one. */
export interface DocumentShelf {
  take(tenant: string, hash: string): Promise<ShelvedDocument>;
  layout(document: ShelvedDocument, page: number): Promise<PageLayout | null>;
}

const keptMs = 60_000;
/** Of at most 20 MiB each. */
const places = 4;

export function createShelf(
  { store, reader, now }: Pick<Application, 'store' | 'reader' | 'now'>,
  pages: PageReader,
): DocumentShelf {
  const kept = new Map<string, { readonly at: number; readonly document: Promise<ShelvedDocument> }>();
  const fetch = async (tenant: string, hash: string): Promise<ShelvedDocument> => {
    const stored = await store.documents.load(tenant, hash);
    if (stored === null) return { kind: 'gone', stored, read: null, pages: 0 };
    const read = await reader.read(stored);
    if (read.kind === 'unreadable') return { kind: 'unreadable', stored, read, pages: 0 };
    return { kind: kindOf(stored), stored, read, pages: read.pages ?? 1 };
  };
  return {
    take(tenant, hash) {
      const key = JSON.stringify([tenant, hash]);
      const at = now();
      for (const [name, entry] of kept) if (at - entry.at > keptMs) kept.delete(name);
      const known = kept.get(key);
      if (known !== undefined) return known.document;
      const document = fetch(tenant, hash);
      document.catch(() => kept.delete(key));
      kept.set(key, { at, document });
      const [oldest] = kept.keys();
      if (kept.size > places && oldest !== undefined) kept.delete(oldest);
      return document;
    },
    async layout({ kind, stored }, page) {
      return kind === 'pdf' && stored !== null ? pages.layout(stored, page) : null;
    },
  };
}

function kindOf({ mediaType }: StoredDocument): DocumentKind {
  const bare = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (bare === 'application/pdf') return 'pdf';
  return bare.startsWith('text/') ? 'text' : 'images';
}

/** One page of a scan as an image that browsers draw; null when there is none. */
export function pageImage(
  { stored, kind }: ShelvedDocument,
  page: number,
): { readonly mediaType: string; readonly bytes: Uint8Array } | null {
  if (stored === null || kind !== 'images') return null;
  if (stored.mediaType === pagesMediaType) return unpackPages(stored.bytes)?.[page - 1] ?? null;
  return page === 1 ? stored : null;
}
