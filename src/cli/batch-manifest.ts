import { ApplicationError } from '../application/application-error.js';
import type { IncomingDocument } from '../application/intake.js';

/** One line of a manifest: files beside it, a document stored before, or one that is written out. */
export interface ManifestLine {
  readonly document:
    | { readonly kind: 'files'; readonly files: readonly string[] }
    | { readonly kind: 'stored'; readonly hash: string }
    | Extract<IncomingDocument, { kind: 'bytes' }>;
  readonly fileName: string | null;
  readonly tags: readonly string[];
}

const forms = '"a.pdf", {"file": ...}, {"pages": [...]}, {"documentHash": ...} or {"text": ...}';
const known = ['file', 'pages', 'documentHash', 'text', 'fileName', 'tags'];

/** Throws ApplicationError `invalid_request` that says where. */
export function readManifestLine(line: string, place: string): ManifestLine {
  const value = parse(line);
  if (typeof value === 'string') return ofFiles([value], {}, place);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(place, `it must be ${forms}`);
  const fields = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid(place, `"${unknown}" is not known; it must be ${forms}`);
  const { file, pages, documentHash, text } = fields;
  const given = [file, pages, documentHash, text].filter((each) => each !== undefined);
  if (given.length !== 1) throw invalid(place, `it must be ${forms}`);
  if (typeof file === 'string') return ofFiles([file], fields, place);
  if (isTexts(pages) && pages.length > 0) return ofFiles(pages, fields, place);
  if (typeof documentHash === 'string' && /^[0-9a-f]{64}$/.test(documentHash)) {
    return { document: { kind: 'stored', hash: documentHash }, ...labels(fields, place) };
  }
  if (typeof text === 'string') {
    const bytes = new TextEncoder().encode(text);
    return { document: { kind: 'bytes', mediaType: 'text/plain', bytes }, ...labels(fields, place) };
  }
  throw invalid(place, `it must be ${forms}`);
}

function ofFiles(
  files: readonly string[],
  fields: Readonly<Record<string, unknown>>,
  place: string,
): ManifestLine {
  if (files.includes('')) throw invalid(place, 'a file has no name');
  return { document: { kind: 'files', files }, ...labels(fields, place) };
}

function labels(
  { fileName = null, tags = [] }: Readonly<Record<string, unknown>>,
  place: string,
): Pick<ManifestLine, 'fileName' | 'tags'> {
  if (fileName !== null && typeof fileName !== 'string') throw invalid(place, 'fileName must be a text');
  if (!isTexts(tags)) throw invalid(place, 'tags must be a list of texts');
  return { fileName, tags };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function invalid(place: string, why: string): ApplicationError {
  return new ApplicationError('invalid_request', `${place}: ${why}.`);
}
