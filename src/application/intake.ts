import { createHash } from 'node:crypto';
import { evaluationPrefix, isEvaluationTenant } from '../domain/evaluation-tenant.js';
import { maximumDocumentBytes, tooLargeMediaType } from '../ports/document-reader.js';
import type { StoredDocument } from '../ports/store.js';
import { ApplicationError, type RequestFault } from './application-error.js';

/** A document as it comes in. `too_large`: only its hash and size were read, since its bytes will not be kept. */
export type IncomingDocument =
  | { readonly kind: 'bytes'; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large'; readonly sha256: string; readonly size: number };

/** A document that the tenant handed in before, by the SHA-256 of its bytes. */
export interface StoredName {
  readonly kind: 'stored';
  readonly hash: string;
}

const mediaTypeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/;
const tenantForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Printable, no spaces at the ends; shown in tables and used in routing. */
const tagForm = /^[^\s\p{C}](?:[^\p{C}]{0,62}[^\s\p{C}])?$/u;
const mostTags = 16;

/**
 * What is stored of a document. One over the limit is not kept: a marker with its hash and size stands for it, so that
 * it still has a row, a key and an outcome (`unreadable_document`, without a call), and the same file the same key.
 */
export function storable(document: IncomingDocument): StoredDocument {
  if (document.kind === 'too_large') return marker(document.sha256, document.size);
  if (document.bytes.byteLength <= maximumDocumentBytes) {
    return { mediaType: document.mediaType, bytes: document.bytes };
  }
  return marker(createHash('sha256').update(document.bytes).digest('hex'), document.bytes.byteLength);
}

function marker(sha256: string, size: number): StoredDocument {
  return { mediaType: tooLargeMediaType, bytes: new TextEncoder().encode(JSON.stringify({ sha256, size })) };
}

/**
 * Refuses a document over the limit at the door, where somebody is there to be told; `named` says which one it is.
 * Throws ApplicationError `document_too_large`.
 */
export function assertSize(
  document: IncomingDocument | StoredName,
  named = 'The document',
  pointer = '/document',
): void {
  if (document.kind === 'stored') return;
  const size = document.kind === 'bytes' ? document.bytes.byteLength : document.size;
  if (size <= maximumDocumentBytes) return;
  const detail = `${named} has ${size.toLocaleString('en')} bytes; a document may have 20 MiB (20,971,520).`;
  throw new ApplicationError('document_too_large', detail, [{ pointer, detail }]);
}

/** Throws ApplicationError `invalid_request` naming every field that cannot be used. */
export function assertLabels(labels: {
  readonly tenant: string;
  readonly tags: readonly string[];
  readonly mediaType: string | null;
}): void {
  const faults: RequestFault[] = [];
  if (!tenantForm.test(labels.tenant)) {
    faults.push({
      pointer: '/tenant',
      detail: 'A tenant is 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit.',
    });
  }
  if (labels.tags.length > mostTags) {
    faults.push({ pointer: '/tags', detail: `At most ${mostTags} tags can be given.` });
  }
  labels.tags.forEach((tag, index) => {
    if (!tagForm.test(tag)) {
      faults.push({ pointer: `/tags/${index}`, detail: 'A tag is 1 to 64 printable characters.' });
    }
  });
  if (labels.mediaType !== null && !mediaTypeForm.test(labels.mediaType)) {
    faults.push({
      pointer: '/document/mediaType',
      detail: 'A media type is written as in "application/pdf", in lower case and without parameters.',
    });
  }
  if (faults.length > 0) {
    throw new ApplicationError('invalid_request', faults.map((fault) => fault.detail).join(' '), faults);
  }
}

/** Throws ApplicationError `invalid_request` for a name that only evaluations submit under. */
export function assertNoEvaluation(tenant: string): void {
  if (!isEvaluationTenant(tenant)) return;
  const detail = `Tenants that begin with "${evaluationPrefix}" are those of evaluations (endstop spec eval); choose another name.`;
  throw new ApplicationError('invalid_request', detail, [{ pointer: '/tenant', detail }]);
}

/** The last part of a path, without control characters, at most 255 characters; null when nothing is left. */
export function plainFileName(fileName: string | null): string | null {
  const last = fileName?.split(/[/\\]/).at(-1)?.replace(/\p{C}/gu, '').trim() ?? '';
  return last === '' ? null : [...last].slice(0, 255).join('');
}
