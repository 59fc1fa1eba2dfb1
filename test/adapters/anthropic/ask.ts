import { createAnthropicExtractor } from '../../../src/adapters/anthropic/extractor.js';
import {
  CallFault,
  type CallOptions,
  type ExtractorReply,
  type ExtractorRequest,
} from '../../../src/ports/extractor.js';

export const apiKey = 'sk-ant-KEYMARK-0123456789';
export const documentText = 'DOCUMENTMARK Total 1,204.375 BHD';
const now = Date.UTC(2026, 10, 30, 12, 0, 0);

export const extractorAt = (baseUrl: string) =>
  createAnthropicExtractor({ provider: 'anthropic', apiKey, baseUrl, now: () => now });

export function request(changes: Partial<ExtractorRequest> = {}): ExtractorRequest {
  return {
    model: 'claude-haiku-5-5',
    maxTokens: 1500,
    mode: null,
    system: 'Extract the claim.',
    schema: {
      type: 'object',
      properties: { total: { type: 'string' } },
      required: ['total'],
      additionalProperties: false,
    },
    document: { mediaType: 'text/plain', bytes: new TextEncoder().encode(documentText) },
    task: 'Return the record.',
    feedback: null,
    ...changes,
  };
}

export const patience = (): CallOptions => ({ signal: new AbortController().signal, timeoutMs: 5_000 });

export function ask(
  baseUrl: string,
  changes: Partial<ExtractorRequest> = {},
  timeoutMs = 5_000,
): Promise<ExtractorReply> {
  return extractorAt(baseUrl).call(request(changes), { signal: new AbortController().signal, timeoutMs });
}

/** The CallFault a call ends with; a reply or another error fails the test. */
export async function faultOf(call: Promise<unknown>): Promise<CallFault> {
  const outcome = await call.then(
    () => 'a reply',
    (error: unknown) => error,
  );
  if (outcome instanceof CallFault) return outcome;
  throw new Error('Expected a CallFault.', { cause: outcome });
}
