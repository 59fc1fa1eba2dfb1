import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paletteStyle } from '../plots/palette.js';
import { plotStyle } from '../plots/style.js';

/** A file that pages load. */
interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Scripts are not compiled, so a compiled console finds them where the sources are. */
const folder = (() => {
  const beside = fileURLToPath(new URL('./assets/', import.meta.url));
  return existsSync(beside) ? beside : beside.replace(join('dist', 'src'), 'src');
})();

/** Styles are written room by room and sent as one sheet, in this order. */
const sheets: Readonly<Record<string, readonly string[]>> = {
  'console.css': [
    'base',
    'bar',
    'controls',
    'confirm',
    'keys',
    'layout',
    'tables',
    'marks',
    'bounds',
    'figures',
  ],
  'review.css': ['review-desk', 'review-paper', 'review-form', 'review-rows', 'review-decide'],
};

// Draws PDF pages in the browser; the same code that reads them here, in a sandbox that is stronger than ours.
const pdfScript = join(dirname(createRequire(import.meta.url).resolve('unpdf')), 'pdfjs.mjs');

let gathered: { readonly mark: string; readonly files: ReadonlyMap<string, Asset> } | null = null;

/** Reads every file once. */
function gather() {
  if (gathered !== null) return gathered;
  const files = new Map<string, Asset>();
  const add = (name: string, type: string, bytes: Uint8Array) =>
    files.set(name, { type, bytes: new Uint8Array(bytes) });
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.js')) add(name, 'text/javascript; charset=utf-8', readFileSync(join(folder, name)));
    if (name.endsWith('.svg')) add(name, 'image/svg+xml', readFileSync(join(folder, name)));
  }
  add('pdf.mjs', 'text/javascript; charset=utf-8', readFileSync(pdfScript));
  for (const [name, rooms] of Object.entries(sheets)) {
    const drawn = name === 'console.css' ? [paletteStyle, plotStyle] : [];
    const written = rooms.map((room) => readFileSync(join(folder, 'styles', `${room}.css`), 'utf8'));
    add(name, 'text/css; charset=utf-8', Buffer.from([...drawn, ...written].join('\n')));
  }
  const hash = createHash('sha256');
  for (const { bytes } of files.values()) hash.update(bytes);
  gathered = { mark: hash.digest('hex').slice(0, 10), files };
  return gathered;
}

/** Null when there is none of this name. */
export function asset(name: string): Asset | null {
  return gather().files.get(name) ?? null;
}

/**
 * Beginning of a SHA-256 over all files: in their addresses, so that browsers may keep them for ever. One for all, since
 * scripts load each other by name.
 */
export function assetMark(): string {
  return gather().mark;
}

/** The address of a file. Throws for a name that has none: a page that links to nothing is a bug. */
export function assetUrl(name: string): string {
  if (asset(name) === null) throw new Error(`There is no asset "${name}".`);
  return `/console/assets/${assetMark()}/${name}`;
}

/** The scripts that these load, in any depth: named beforehand, they come together and not one after the other. */
export function assetImports(names: readonly string[]): readonly string[] {
  const found = new Set(names);
  for (const name of found) {
    const text = new TextDecoder().decode(asset(name)?.bytes);
    for (const [, other = ''] of text.matchAll(/^(?:import|\} from|import .*from) '\.\/([\w-]+\.js)';$/gm))
      found.add(other);
  }
  return [...found].filter((name) => !names.includes(name));
}
