import type { Usage } from '../../domain/usage.js';
import type { ExtractorRequest } from '../../ports/extractor.js';
import { pagesMediaType, unpackPages } from '../../ports/page-images.js';
import { bareMediaType } from './request.js';

/** UTF-8 bytes a token. Prose has about four letters a token; digits and other scripts have fewer. */
const bytesPerToken = 3;
/** The provider's upper figure for the text of a PDF page, its picture not counted apart. */
const tokensPerPdfPage = 3_000;
/** For PDFs whose page objects are compressed and so cannot be counted here: about a scanned page. */
const bytesPerPdfPage = 50_000;
/** The provider refuses longer PDFs. */
const maximumPdfPages = 600;
/** The provider scales any image down to this. */
const tokensPerImage = 4_800;
/** Message framing, block wrapping, tool preamble. */
const overheadTokens = 600;

/**
 * The usage to assume for a request whose real usage never arrived: its input by size, its output at the ceiling.
 * Meant to be high rather than low, since spending that cannot be known must not be counted as little.
 */
export function estimateUsage(request: ExtractorRequest): Usage {
  const texts = [request.system, request.task, request.feedback ?? '', JSON.stringify(request.schema)];
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    inputTokens: overheadTokens + Math.ceil(textBytes / bytesPerToken) + documentTokens(request.document),
    outputTokens: request.maxTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    thinkingTokens: 0,
  };
}

function documentTokens(document: ExtractorRequest['document']): number {
  if (document.mediaType === pagesMediaType) {
    return (unpackPages(document.bytes)?.length ?? 0) * tokensPerImage;
  }
  const mediaType = bareMediaType(document.mediaType);
  if (mediaType === 'application/pdf') return pdfPages(document.bytes) * tokensPerPdfPage;
  if (mediaType.startsWith('image/')) return tokensPerImage;
  return Math.ceil(document.bytes.length / bytesPerToken);
}

/** Pages by their visible page objects, or by size when there are none to be seen. */
function pdfPages(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const visible = text.match(/\/Type\s{0,4}\/Page(?![A-Za-z])/g)?.length ?? 0;
  const pages = visible > 0 ? visible : Math.ceil(bytes.length / bytesPerPdfPage);
  return Math.min(Math.max(pages, 1), maximumPdfPages);
}
