import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { ApplicationError } from '../application/application-error.js';

/**
 * Writes a file that is either whole or not there: under another name beside it until everything is on the disk. What
 * stood at `path` before stays until then.
 *
 * Throws ApplicationError `invalid_request` when nothing can be written there, and whatever the texts throw.
 */
export async function writeWhole(path: string, texts: AsyncIterable<string>): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw invalid(`${path} is a folder; name a file.`);
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, 'w').catch((error: NodeJS.ErrnoException) => {
    throw unwritable(path, error);
  });
  try {
    await writeAll(file, path, texts);
    await rename(partial, path).catch((error: NodeJS.ErrnoException) => {
      throw unwritable(path, error);
    });
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** The same for a text that is there already. */
export function writeText(path: string, text: string): Promise<void> {
  return writeWhole(
    path,
    (async function* () {
      yield text;
    })(),
  );
}

async function writeAll(file: FileHandle, path: string, texts: AsyncIterable<string>): Promise<void> {
  const written = (error: NodeJS.ErrnoException) => {
    throw unwritable(path, error);
  };
  try {
    for await (const text of texts) await file.appendFile(text).catch(written);
    await file.sync().catch(written);
  } finally {
    await file.close();
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

function unwritable(path: string, error: NodeJS.ErrnoException): ApplicationError {
  return invalid(
    `${path} cannot be written: ${causes[error.code ?? ''] ?? (error.code || 'unknown cause')}.`,
  );
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
