import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApplicationError } from '../application/application-error.js';
import type { TruthCase } from '../application/truth-case.js';
import type { StoredJson } from '../ports/attempt-store.js';
import { readDocument } from './document-file.js';

/** The samples that come with the example specs. */
export const bundledTruths: string = fileURLToPath(new URL('../../samples', import.meta.url));

/**
 * Reads a folder of documents whose right answer is known: JSON files in `truth/` (or in the folder itself), each with
 * its `spec`, the `file` it is about, and the `record` that is right, if one is known. Documents stand in `files/`
 * beside `truth/`, or beside their truth file. In the order of the file names.
 *
 * Throws ApplicationError `invalid_request` in one sentence when there is no such folder, no truth file in it, or one
 * that says something else.
 */
export async function readTruthSet(folder: string): Promise<readonly TruthCase[]> {
  if (!isFolder(folder)) throw invalid(`There is no folder ${folder}; name one that holds a truth set.`);
  const inner = join(folder, 'truth');
  const truths = isFolder(inner) ? inner : folder;
  const names = (await readdir(truths)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw invalid(`There is no truth file (*.json) in ${truths}.`);
  return await Promise.all(names.map((name) => readTruth(truths, name)));
}

async function readTruth(folder: string, name: string): Promise<TruthCase> {
  const path = join(folder, name);
  const { file, spec, record } = parse(path, await readFile(path, 'utf8'));
  if (typeof spec !== 'string') throw invalid(`${path} does not say which "spec" it is about.`);
  if (file !== undefined && typeof file !== 'string') throw invalid(`"file" in ${path} is no file name.`);
  const base = { name: file ?? name, specId: spec, record: record ?? null };
  if (file === undefined) return { ...base, document: null };
  const document = documentPath(folder, file);
  if (document === null) throw invalid(`${path} is about ${file}, but there is no such file beside it.`);
  return { ...base, document: () => readDocument(document) };
}

function parse(path: string, text: string): { readonly [key: string]: StoredJson | undefined } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(`${path} is not JSON.`);
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return value as { readonly [key: string]: StoredJson };
  }
  throw invalid(`${path} is no truth file: it must be an object with "spec", "file" and "record".`);
}

function documentPath(folder: string, file: string): string | null {
  const places = [join(folder, '..', 'files', file), join(folder, 'files', file), join(folder, file)];
  return places.find((path) => existsSync(path)) ?? null;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
