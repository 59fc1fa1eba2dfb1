import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ApplicationError } from '../application/application-error.js';
import type { BatchItem } from '../application/batches.js';
import { pagesName } from '../application/page-document.js';
import { type ManifestLine, readManifestLine } from './batch-manifest.js';
import { assertReadable, readDocument, readPages } from './document-file.js';

/** A document of a folder or a manifest, not read yet. */
export interface SourceItem extends Pick<BatchItem, 'item' | 'fileName' | 'tags'> {
  /** Changes with the document, as far as can be told without reading it. */
  readonly stamp: string;
  /** Bytes that reading it brings into memory, at most. */
  readonly size: number;
  read(): Promise<BatchItem['document']>;
}

/** Files that are left out, by their places in the folder: the first of them, in the order in which they are found. */
interface Skipped {
  count: number;
  readonly names: string[];
}

const mostNamed = 1_000;

/** What a batch is made of. It is gone through twice: to check it and to name it, then to hand it in. */
export interface BatchSource {
  items(): AsyncGenerator<SourceItem>;
  /** Files of the folder that are no documents, as of the last time it was gone through. */
  readonly skipped: Skipped;
}

/** Throws ApplicationError `invalid_request` when it is neither a folder nor a manifest. */
export async function openSource(path: string): Promise<BatchSource> {
  const found = await stat(path).catch(() => null);
  const skipped: Skipped = { count: 0, names: [] };
  if (found?.isDirectory()) {
    const root = resolve(path);
    return {
      skipped,
      items: async function* () {
        skipped.count = 0;
        skipped.names.length = 0;
        yield* folderItems(root, '', skipped);
      },
    };
  }
  if (found?.isFile() && ['.jsonl', '.ndjson'].includes(extname(path).toLowerCase())) {
    await assertReadable([path]);
    return { skipped, items: () => manifestItems(resolve(path)) };
  }
  const what = found === null ? 'does not exist' : 'is neither a folder nor a manifest (.jsonl)';
  throw new ApplicationError('invalid_request', `${path} ${what}.`);
}

const documentTypes = ['.pdf', '.txt', '.text', '.md', '.csv', '.png', '.jpg', '.jpeg', '.webp', ''];

/** Documents by name, those of a very large folder as the file system has them. */
async function* folderItems(root: string, folder: string, skipped: Skipped): AsyncGenerator<SourceItem> {
  for await (const entry of entriesOf(join(root, folder))) {
    if (entry.name.startsWith('.')) continue;
    const item = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      yield* folderItems(root, item, skipped);
      continue;
    }
    const path = join(root, item);
    // A link to a folder is not followed: it may lead back up.
    const found = await stat(path).catch(() => null);
    if (found !== null && !found.isFile()) continue;
    if (!documentTypes.includes(extname(entry.name).toLowerCase())) {
      skipped.count += 1;
      if (skipped.names.length < mostNamed) skipped.names.push(item);
      continue;
    }
    yield { item, fileName: entry.name, tags: [], ...(await ofFiles([path])) };
  }
}

/** More than these are not sorted: a folder is never held as a whole, however large it is. */
const mostSorted = 10_000;

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const directory = await opendir(folder);
  const first: Dirent[] = [];
  for await (const entry of directory) {
    first.push(entry);
    if (first.length <= mostSorted) continue;
    yield* first;
    first.length = 0;
  }
  yield* first.sort((left, right) => (left.name < right.name ? -1 : 1));
}

async function* manifestItems(manifest: string): AsyncGenerator<SourceItem> {
  const lines = createInterface({ input: createReadStream(manifest), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const read = readManifestLine(line, `${basename(manifest)}, line ${number}`);
    yield { item: `${number}`, ...(await ofLine(read, dirname(manifest))), tags: read.tags };
  }
}

async function ofLine(
  { document, fileName }: ManifestLine,
  folder: string,
): Promise<Omit<SourceItem, 'item' | 'tags'>> {
  if (document.kind === 'files') {
    const paths = document.files.map((file) => resolve(folder, file));
    return {
      fileName: fileName ?? pagesName(document.files.map((file) => basename(file))),
      ...(await ofFiles(paths)),
    };
  }
  const isStored = document.kind === 'stored';
  const stamp = isStored ? document.hash : createHash('sha256').update(document.bytes).digest('hex');
  return { fileName, stamp, size: isStored ? 0 : document.bytes.byteLength, read: async () => document };
}

/** Throws ApplicationError `invalid_request` for the first that cannot be read. */
async function ofFiles(paths: readonly string[]): Promise<Pick<SourceItem, 'stamp' | 'size' | 'read'>> {
  await assertReadable(paths);
  const found = await Promise.all(paths.map((path) => stat(path)));
  const [only = ''] = paths;
  return {
    stamp: found.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join('\n'),
    size: found.reduce((sum, { size }) => sum + size, 0),
    read: async () => (paths.length === 1 ? await readDocument(only) : await readPages(paths)),
  };
}
