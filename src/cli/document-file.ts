import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, open, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { ApplicationError } from '../application/application-error.js';
import type { IncomingDocument } from '../application/intake.js';
import { claimedMediaType, mediaTypeOf } from '../application/media-type.js';
import { type IncomingPage, pagesDocument } from '../application/page-document.js';
import { maximumDocumentBytes } from '../ports/document-reader.js';

/**
 * Checks that every path is a file that can be read, before anything is opened or written.
 * Throws ApplicationError `invalid_request`, in one sentence for the first that is not.
 */
export async function assertReadable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) throw refusal(path, found);
    if (found.isDirectory())
      throw invalid(`${path} is a folder; name the files in it, or hand it in by "endstop batch".`);
    if (!found.isFile()) throw invalid(`${path} is not a file.`);
    await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
      throw refusal(path, error);
    });
  }
}

/**
 * Checks by their first bytes that no file is of a kind that is never read: office documents and other archives.
 * Throws ApplicationError `invalid_request`, in one sentence for the first that is.
 */
export async function assertDocuments(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const start = Buffer.alloc(8);
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      throw refusal(path, error);
    });
    await file.read(start, 0, start.length, 0).finally(() => file.close());
    if (!archiveMarks.some((mark) => start.toString('latin1').startsWith(mark))) continue;
    const extension = extname(path).toLowerCase();
    const what = extension === '' ? 'An office document or archive' : `A ${extension}`;
    throw invalid(`${path}: ${what} is not read; hand in PDF, text, PNG, JPEG or WebP.`);
  }
}

/** ZIP, which office documents are since 2007, and the container that they were before. */
const archiveMarks = ['PK\x03\x04', 'PK\x05\x06', '\xd0\xcf\x11\xe0'];

/**
 * Reads a document with what it is. Of a file over 20 MiB only the hash is taken.
 * Throws ApplicationError: `invalid_request` when it went away or changed its rights meanwhile, `media_type_mismatch`
 * when its bytes are not what its name says.
 */
export async function readDocument(path: string): Promise<IncomingDocument> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw refusal(path, error);
  });
  if (size > maximumDocumentBytes) return { kind: 'too_large', sha256: await hashOf(path), size };
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw refusal(path, error);
  });
  return { kind: 'bytes', mediaType: mediaTypeOf(claimedMediaType(path), bytes, path), bytes };
}

/**
 * Reads several images as the pages of one document, in this order.
 * Throws ApplicationError `invalid_request` when one is no image, went away, or all are over 20 MiB together.
 */
export async function readPages(paths: readonly string[]): Promise<IncomingDocument> {
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).catch((error: NodeJS.ErrnoException) => {
        throw refusal(path, error);
      }),
    ),
  );
  const together = sizes.reduce((sum, { size }) => sum + size, 0);
  if (together > maximumDocumentBytes) {
    const mebibytes = (together / (1024 * 1024)).toFixed(1);
    throw invalid(`The pages have ${mebibytes} MiB together; a document has at most 20 MiB.`);
  }
  const pages: IncomingPage[] = [];
  for (const path of paths) {
    const page = await readDocument(path);
    // Too large only if it grew a moment ago.
    if (page.kind === 'too_large') throw invalid(`${path} has more than 20 MiB.`);
    pages.push({ name: path, mediaType: page.mediaType, bytes: page.bytes });
  }
  return pagesDocument(pages);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  ENAMETOOLONG: 'has too long a name',
};

function refusal(path: string, error: NodeJS.ErrnoException): ApplicationError {
  return invalid(`${path} ${causes[error.code ?? ''] ?? `cannot be read (${error.code ?? error.name})`}.`);
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
