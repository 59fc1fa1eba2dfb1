import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suggestion } from '../domain/nearest-word.js';
import type { Spec } from './spec.js';
import { SpecError } from './spec-error.js';

/**
 * The specs a file exports by default: one, or a list of several or of several versions of one. The file is executed,
 * so it must come from this machine's disk. TypeScript files need tsx to be registered by the caller.
 * @throws SpecError with one sentence when the file is missing, is no file, throws, or exports no spec by default.
 */
export async function loadSpecs(path: string): Promise<readonly Spec[]> {
  const file = resolve(path);
  if (!existsSync(file)) throw new SpecError(`There is no spec file ${path}; check the path.`);
  if (!statSync(file).isFile())
    throw new SpecError(`${path} is not a file; name a file that exports a spec.`);
  const exported = await defaultExport(file, path);
  const specs: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (specs.length === 0) throw new SpecError(`${path} exports an empty list; export at least one spec.`);
  return specs.map((spec) => {
    if (isSpec(spec)) return spec;
    throw new SpecError(`${path} does not export a spec by default; export what defineSpec returns.`);
  });
}

async function defaultExport(file: string, path: string): Promise<unknown> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  } catch (error) {
    if (error instanceof SpecError) {
      // A field without a title has no name to be found by.
      const isNameless = error.message.startsWith('A field ');
      throw isNameless ? new SpecError(error.message.replace(/\.$/, `${placeIn(file, error)}.`)) : error;
    }
    throw new SpecError(
      `The spec file ${path} cannot be loaded: ${(await misspeltImport(error)) ?? `${firstLine(error)}${placeIn(file, error)}`}`,
    );
  }
  // CommonJS under tsx wraps the default export once more.
  const exported = loaded.default;
  const inner =
    isRecord(exported) && !isSpec(exported) && 'default' in exported ? exported['default'] : exported;
  if (inner === undefined) {
    throw new SpecError(`${path} has no default export; add "export default defineSpec({ ... })".`);
  }
  return inner;
}

/** A name that this package does not export, as compilers and Node tell it. */
const notExported = [
  /\(0 , import_endstop\.(\w+)\) is not a function/,
  /module '[^']*endstop[^']*' does not provide an export named '(\w+)'/,
];

async function misspeltImport(error: unknown): Promise<string | null> {
  const message = error instanceof Error ? error.message : '';
  const name = notExported.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
  if (name === undefined) return null;
  // Only now: whoever loads no file needs none of it.
  const authoring = await import('./index.js');
  return `'endstop' has no ${name}${suggestion(name, Object.keys(authoring))}`;
}

/** Specs are made by `defineSpec`, perhaps of another copy of this package, so they are known by their parts. */
function isSpec(value: unknown): value is Spec {
  if (!isRecord(value)) return false;
  const { id, schemaVersion, prompt, schema, jsonSchema, constraints, policy } = value;
  return (
    typeof id === 'string' &&
    typeof schemaVersion === 'string' &&
    [prompt, schema, jsonSchema, policy].every(isRecord) &&
    Array.isArray(constraints)
  );
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** " (till.ts:12)": where in the author's own file it went wrong; nothing when the error does not say, or says it already. */
function placeIn(file: string, error: unknown): string {
  if (!(error instanceof Error) || error.message.includes(basename(file))) return '';
  const frame = (error.stack ?? '').split('\n').find((line) => line.includes(basename(file)));
  const line = /:(\d+):\d+\)?$/.exec(frame ?? '')?.[1];
  return line === undefined ? '' : ` (${basename(file)}:${line})`;
}

/** What went wrong, without the stack; a compiler's first line only announces the one that says it. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = '', second = ''] = message.split('\n');
  return first.endsWith(':') && second !== '' ? second.trim() : first;
}
