import type { DocumentReader, ReadDocument, UnreadableFault } from '../../ports/document-reader.js';
import { tooLargeMediaType } from '../../ports/document-reader.js';
import { pagesMediaType } from '../../ports/page-images.js';
import type { PageReader } from '../../ports/page-reader.js';
import { readImage, readPages } from './images.js';
import { kindOf, latin1, sniff } from './media.js';
import { type PdfLimits, type PdfProcess, type PdfRead, startPdfProcess } from './pdf-process.js';
import { readText } from './text-document.js';

/** A reader that holds child processes: close it when it is no longer needed. */
export interface ClosableDocumentReader extends DocumentReader, PageReader {
  /** Ends the child processes. Reads in progress and later ones are refused. */
  close(): Promise<void>;
}

export interface DocumentReaderOptions {
  /** PDFs read at the same time, each in its own process; 2 unless told. */
  readonly processes?: number;
  readonly limits?: Partial<PdfLimits>;
}

const maximumBytes = 20 * 1024 * 1024;

/** How far from its last byte a PDF may have its end mark: some carry a little more after it. */
const endMarkWithin = 4_096;

const defaultLimits: PdfLimits = {
  // Model APIs refuse longer documents.
  pages: 600,
  characters: 5_000_000,
  memoryBytes: 512 * 1024 * 1024,
  heapMb: 256,
  cpuMs: 10_000,
  wallMs: 30_000,
};

/**
 * Looks into text, PDF, PNG, JPEG and WebP documents, and pages that are images, of at most 20 MiB. The bytes must be what the media type says.
 * A PDF is opened in a child process within limits of processor time, memory, pages and text: exceeding any of them
 * makes it `too_large`. Encrypted PDFs are `encrypted` even if they open without a password, since model APIs refuse
 * them. A document without a text layer has `text: null`.
 */
export function createDocumentReader(options: DocumentReaderOptions = {}): ClosableDocumentReader {
  const limits = { ...defaultLimits, ...options.limits };
  const pool = createPool(options.processes ?? 2);
  return {
    async read({ mediaType, bytes }) {
      // The intake kept a marker in place of bytes that are over the limit.
      if (mediaType === tooLargeMediaType) return unreadable('too_large');
      if (bytes.length === 0) return unreadable('empty');
      if (bytes.length > maximumBytes) return unreadable('too_large');
      if (mediaType === pagesMediaType) return readPages(bytes);
      const kind = kindOf(mediaType);
      if (kind === 'text') return readText(bytes);
      if (kind === null || sniff(bytes) !== kind) return unreadable('mislabelled');
      return kind === 'pdf' ? await readPdf(pool, bytes, limits) : readImage(kind, bytes);
    },
    async layout({ mediaType, bytes }, page) {
      if (kindOf(mediaType) !== 'pdf' || sniff(bytes) !== 'pdf' || bytes.length > maximumBytes) return null;
      const read = await pool.read(bytes, limits, page);
      return read?.kind === 'layout' ? read.layout : null;
    },
    close: pool.close,
  };
}

function unreadable(fault: UnreadableFault): ReadDocument {
  return { kind: 'unreadable', fault };
}

async function readPdf(pool: Pool, bytes: Uint8Array, limits: PdfLimits): Promise<ReadDocument> {
  // Readers mend a PDF that was cut off and show the pages that are left; half a document must not look like a whole.
  if (!latin1(bytes.subarray(-endMarkWithin)).includes('%%EOF')) return unreadable('corrupt');
  // A process lost once may be the machine's doing; lost twice under the same document, it is the document's.
  const read = (await pool.read(bytes, limits)) ?? (await pool.read(bytes, limits));
  if (read === null || read.kind === 'layout') return unreadable('corrupt');
  if (read.kind === 'fault') return unreadable(read.fault);
  const hasText = read.texts.some((text) => text.trim() !== '');
  return { kind: 'readable', pages: read.pages, text: hasText ? { pages: read.texts } : null };
}

interface Pool {
  read(bytes: Uint8Array, limits: PdfLimits, page?: number): Promise<PdfRead | null>;
  close(): Promise<void>;
}

/** Up to `size` processes, started when needed; reads beyond that wait their turn. */
function createPool(size: number): Pool {
  const all = new Set<PdfProcess>();
  const idle: PdfProcess[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;
  let closed = false;

  const take = (): PdfProcess => {
    for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
      if (process.alive()) return process;
      all.delete(process);
    }
    const started = startPdfProcess();
    all.add(started);
    return started;
  };

  const refuseWhenClosed = () => {
    if (closed) throw new Error('The document reader is closed.');
  };

  return {
    async read(bytes, limits, page) {
      refuseWhenClosed();
      while (busy >= size) await new Promise<void>((resolve) => waiting.push(resolve));
      refuseWhenClosed();
      busy += 1;
      const process = take();
      try {
        const read = await process.read(bytes, limits, page);
        refuseWhenClosed();
        return read;
      } finally {
        if (process.alive()) idle.push(process);
        else all.delete(process);
        busy -= 1;
        waiting.shift()?.();
      }
    },
    async close() {
      closed = true;
      await Promise.all([...all].map((process) => process.end()));
      for (const resume of waiting.splice(0)) resume();
    },
  };
}
