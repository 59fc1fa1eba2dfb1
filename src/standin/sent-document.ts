import { extractTextItems, getDocumentProxy } from 'unpdf';
import { type ApiFault, invalidRequest } from './api-fault.js';
import { sha256 } from './dice.js';
import { isArray, type JsonObject, member, objectsIn, textMember } from './json.js';
import { type Line, linesOfPage, linesOfText } from './page-lines.js';

/** One document as the request carried it and as far as it can be read. */
export interface SentDocument {
  /** Of the document's own bytes: the decoded file, or the text as UTF-8. */
  readonly sha256: string;
  /** No line holds a cell when nothing can be read, as with a scan. */
  readonly lines: readonly Line[];
  /** What the API would bill for it. */
  readonly tokens: number;
}

/** Published ranges are 1,500 to 3,000 tokens for a page and about 1,600 for an image. */
const TOKENS_PER_PAGE = 1600;
const MAX_PAGES = 600;
export const CHARACTERS_PER_TOKEN = 3.5;

const read = new Map<string, SentDocument>();
const KEPT = 64;

export class UnreadableDocument extends Error {
  readonly fault: ApiFault;
  constructor(message: string) {
    super(message);
    this.fault = invalidRequest(message);
  }
}

/**
 * Every document in the user turns: document blocks, images, and text between `<document>` tags.
 * Throws {@link UnreadableDocument} for a PDF the API would refuse.
 */
export async function readDocuments(body: JsonObject): Promise<SentDocument[]> {
  const found: SentDocument[] = [];
  for (const message of objectsIn(member(body, 'messages'))) {
    if (member(message, 'role') !== 'user') continue;
    const content = member(message, 'content');
    for (const block of typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : objectsIn(content)) {
      found.push(...(await readBlock(block)));
    }
  }
  return found;
}

/** The caller's own words: user text with everything between `<document>` tags taken out. */
export function userWords(body: JsonObject): string {
  const words: string[] = [];
  for (const message of objectsIn(member(body, 'messages'))) {
    if (member(message, 'role') === 'assistant') continue;
    const content = member(message, 'content');
    if (typeof content === 'string') words.push(content);
    for (const block of objectsIn(content)) words.push(textMember(block, 'text') ?? '');
  }
  return words.join('\n').replace(TAGGED, '');
}

const TAGGED = /<document\b[^>]*>([\s\S]*?)<\/document>/g;

async function readBlock(block: JsonObject): Promise<SentDocument[]> {
  const source = member(block, 'source');
  if (block['type'] === 'text') {
    return [...(textMember(block, 'text') ?? '').matchAll(TAGGED)].map((match) =>
      readText((match[1] ?? '').trim()),
    );
  }
  if (block['type'] === 'image') return [readImage(textMember(source, 'data') ?? '')];
  if (block['type'] !== 'document') return [];
  if (textMember(source, 'type') === 'text') return [readText(textMember(source, 'data') ?? '')];
  if (textMember(source, 'type') === 'base64') return [await readPdf(textMember(source, 'data') ?? '')];
  const content = member(source, 'content');
  if (typeof content === 'string') return [readText(content)];
  const text = isArray(content) ? objectsIn(content).map((part) => textMember(part, 'text') ?? '') : [];
  return [readText(text.join('\n'))];
}

function readText(text: string): SentDocument {
  return {
    sha256: sha256(text),
    lines: linesOfText(text),
    tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  };
}

/** A stand-in has no eyes: an image is counted and never read. */
function readImage(data: string): SentDocument {
  return { sha256: sha256(Buffer.from(data, 'base64')), lines: [], tokens: TOKENS_PER_PAGE };
}

async function readPdf(data: string): Promise<SentDocument> {
  const bytes = Buffer.from(data, 'base64');
  const hash = sha256(bytes);
  const known = read.get(hash);
  if (known) return known;
  const document = await parsePdf(bytes, hash);
  read.set(hash, document);
  for (const oldest of read.keys()) {
    if (read.size <= KEPT) break;
    read.delete(oldest);
  }
  return document;
}

async function parsePdf(bytes: Buffer, hash: string): Promise<SentDocument> {
  // A copy, because the parser takes the buffer away from its owner.
  const proxy = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error: unknown) => {
    const locked = error instanceof Error && error.name === 'PasswordException';
    throw new UnreadableDocument(
      locked ? 'The PDF specified is password protected.' : 'The PDF specified was not valid.',
    );
  });
  try {
    if (proxy.numPages > MAX_PAGES) {
      throw new UnreadableDocument(`A maximum of ${MAX_PAGES} PDF pages may be provided.`);
    }
    const { items } = await extractTextItems(proxy);
    const lines = items.flatMap((page, index) =>
      linesOfPage(
        index + 1,
        page.map((item) => ({
          text: item.str,
          x: item.x,
          y: item.y,
          width: item.width,
          size: item.fontSize,
        })),
      ),
    );
    return { sha256: hash, lines, tokens: items.length * TOKENS_PER_PAGE };
  } finally {
    await proxy.loadingTask.destroy();
  }
}
