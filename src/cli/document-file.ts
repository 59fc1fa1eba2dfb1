import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { ApplicationError } from '../application/application-error.js';
import type { IncomingDocument } from '../application/intake.js';
import { maximumDocumentBytes } from '../ports/document-reader.js';

const byExtension: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.text': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

/**
 * Checks that every path is a file that can be read, before anything is opened or written.
 * Throws ApplicationError `invalid_request`, in one sentence for the first that is not.
 */
export async function assertReadable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) throw refusal(path, found);
    if (found.isDirectory()) throw invalid(`${path} is a folder; name the files in it.`);
    if (!found.isFile()) throw invalid(`${path} is not a file.`);
    await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
      throw refusal(path, error);
    });
  }
}

/**
 * Reads a document and says what it claims to be: by its extension, or by its bytes when the extension says nothing.
 * Whether the bytes agree with the claim is for the run to find out. Of a file over 20 MiB only the hash is taken.
 */
export async function readDocument(path: string): Promise<IncomingDocument> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw refusal(path, error);
  });
  if (size > maximumDocumentBytes) return { kind: 'too_large', sha256: await hashOf(path), size };
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw refusal(path, error);
  });
  const mediaType = byExtension[extname(path).toLowerCase()] ?? mediaTypeOf(bytes);
  return { kind: 'bytes', mediaType, bytes };
}

/** What bytes without a telling name are taken for: by their first bytes, else text when they are UTF-8. */
export function mediaTypeOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (start.startsWith('%PDF-')) return 'application/pdf';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return bytes.includes(0) ? 'application/octet-stream' : 'text/plain';
  } catch {
    return 'application/octet-stream';
  }
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
