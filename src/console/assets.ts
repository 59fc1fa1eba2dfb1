import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that pages load. */
interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const script = 'text/javascript; charset=utf-8';
const files: Readonly<Record<string, readonly [path: string, type: string]>> = {
  'console.css': [own('console.css'), 'text/css; charset=utf-8'],
  'review.css': [own('review.css'), 'text/css; charset=utf-8'],
  'console.js': [own('console.js'), script],
  'live.js': [own('live.js'), script],
  'document.js': [own('document.js'), script],
  'review.js': [own('review.js'), script],
  'review-keys.js': [own('review-keys.js'), script],
  'letters.js': [own('letters.js'), script],
  'planner.js': [own('planner.js'), script],
  'icon.svg': [own('icon.svg'), 'image/svg+xml'],
  // Draws PDF pages in the browser; the same code that reads them here, in a sandbox that is stronger than ours.
  'pdf.mjs': [join(dirname(createRequire(import.meta.url).resolve('unpdf')), 'pdfjs.mjs'), script],
};

const loaded = new Map<string, Asset>();
let marked: string | null = null;

/** Reads a file the first time it is asked for; null when there is none of this name. */
export function asset(name: string): Asset | null {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) return null;
  const [path, type] = file;
  const read = { type, bytes: new Uint8Array(readFileSync(path)) };
  loaded.set(name, read);
  return read;
}

/**
 * Beginning of a SHA-256 over all files: in their addresses, so that browsers may keep them for ever. One for all, since
 * scripts load each other by name.
 */
export function assetMark(): string {
  if (marked === null) {
    const hash = createHash('sha256');
    for (const name of Object.keys(files)) hash.update(asset(name)?.bytes ?? '');
    marked = hash.digest('hex').slice(0, 10);
  }
  return marked;
}

/** The address of a file. Throws for a name that has none: a page that links to nothing is a bug. */
export function assetUrl(name: string): string {
  if (!Object.hasOwn(files, name)) throw new Error(`There is no asset "${name}".`);
  return `/console/assets/${assetMark()}/${name}`;
}

/** Scripts are not compiled, so a compiled console finds them where the sources are. */
function own(name: string): string {
  const beside = fileURLToPath(new URL(`./assets/${name}`, import.meta.url));
  return existsSync(beside) ? beside : beside.replace(join('dist', 'src'), 'src');
}
