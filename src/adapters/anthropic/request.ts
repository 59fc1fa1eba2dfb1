import type Anthropic from '@anthropic-ai/sdk';
import type { RequestMode } from '../../domain/request-mode.js';
import type { ExtractorRequest } from '../../ports/extractor.js';
import { pagesMediaType, unpackPages } from '../../ports/page-images.js';
import { type Model, unsupported } from './models.js';

type Body = Anthropic.MessageCreateParamsNonStreaming;

/** The one tool of tool mode. Its input is the record. */
const toolName = 'record';

/**
 * The body of one Messages API request: cached system prefix, document, task, and on a repair the feedback. The same
 * request makes the same body, so that the provider's cache can match it. No sampling parameters: the API refuses them.
 * @throws CallFault (permanent, `unsupported`) for a media type this API has no block for.
 */
export function messageBody(request: ExtractorRequest, model: Model, mode: RequestMode): Body {
  const content: Anthropic.ContentBlockParam[] = [
    ...documentBlocks(request.document),
    { type: 'text', text: request.task },
  ];
  if (request.feedback !== null) content.push({ type: 'text', text: request.feedback });
  return {
    model: model.id,
    max_tokens: request.maxTokens,
    system: [{ type: 'text', text: request.system, cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content }],
    ...outputConfig(request, model, mode),
    ...(mode === 'tool' ? toolChoice(request, model) : {}),
  };
}

/** Low effort where the model has the setting, since thinking counts against the token ceiling; the schema as it is. */
function outputConfig(
  request: ExtractorRequest,
  model: Model,
  mode: RequestMode,
): Pick<Body, 'output_config'> {
  const config: Anthropic.OutputConfig = {
    ...(model.lowEffort ? { effort: 'low' } : {}),
    ...(mode === 'constrained' ? { format: { type: 'json_schema', schema: request.schema } } : {}),
  };
  return Object.keys(config).length === 0 ? {} : { output_config: config };
}

function toolChoice(request: ExtractorRequest, model: Model): Pick<Body, 'tools' | 'tool_choice'> {
  return {
    tools: [
      {
        name: toolName,
        description: 'Takes the record that was extracted from the document. Call it exactly once.',
        input_schema: { ...request.schema, type: 'object' },
        strict: true,
      },
    ],
    tool_choice: model.forcedTool
      ? { type: 'tool', name: toolName, disable_parallel_tool_use: true }
      : { type: 'auto', disable_parallel_tool_use: true },
  };
}

/** One block, or one for each page image in order. */
function documentBlocks(document: ExtractorRequest['document']): Anthropic.ContentBlockParam[] {
  if (document.mediaType !== pagesMediaType) return [documentBlock(document)];
  const pages = unpackPages(document.bytes);
  if (pages === null) throw unsupported('The pages of the document cannot be told apart.');
  return pages.map(documentBlock);
}

function documentBlock(document: ExtractorRequest['document']): Anthropic.ContentBlockParam {
  const mediaType = bareMediaType(document.mediaType);
  if (mediaType.startsWith('text/')) {
    return {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: utf8(document.bytes) },
    };
  }
  switch (mediaType) {
    case 'application/pdf':
      return {
        type: 'document',
        source: { type: 'base64', media_type: mediaType, data: base64(document.bytes) },
      };
    case 'image/png':
    case 'image/jpeg':
    case 'image/webp':
      return {
        type: 'image',
        source: { type: 'base64', media_type: mediaType, data: base64(document.bytes) },
      };
    default:
      throw unsupported('The model API takes text, PDF, PNG, JPEG and WebP documents only.');
  }
}

/** `Text/Plain; charset=utf-8` is `text/plain`. */
export function bareMediaType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unsupported('A text document must be UTF-8.');
  }
}
