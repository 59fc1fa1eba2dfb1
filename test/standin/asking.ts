import Anthropic from '@anthropic-ai/sdk';
import { afterAll, expect } from 'vitest';
import type { Behaviour } from '../../src/standin/behaviour.js';
import { createStandin, type Standin } from '../../src/standin/server.js';

export type Json = { readonly [keyword: string]: unknown };

const amount = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };
const text = { type: 'string' };
const date = { type: 'string', format: 'date' };
const absences = { type: 'string', enum: ['not_printed', 'blank'] };

/** An object schema whose properties are all required. */
export function strict(properties: Json): Json {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}

export const claimSchema = strict({
  claim_number: text,
  policy_number: text,
  claimant: text,
  loss_date: date,
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  line_items: { type: 'array', items: strict({ description: text, amount }), minItems: 1 },
  total_claimed: amount,
  deductible: { anyOf: [amount, absences] },
});

export const invoiceSchema = strict({
  document_type: { type: 'string', enum: ['invoice', 'credit_note'] },
  invoice_number: text,
  issue_date: date,
  due_date: { anyOf: [date, absences] },
  seller: text,
  buyer: text,
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  line_items: {
    type: 'array',
    items: strict({ description: text, quantity: amount, unit_price: amount, amount }),
    minItems: 1,
  },
  printed_line_count: { anyOf: [{ type: 'string', pattern: '^\\d+$' }, absences], title: 'Number of lines' },
  net_total: amount,
  tax_rate: amount,
  tax_amount: amount,
  total: amount,
});

export type Params = Anthropic.MessageCreateParamsNonStreaming;

/** A request as an extractor sends it: system, document, task and, on a repair, what was wrong with the last answer. */
export function extraction(
  schema: Json,
  document: string | Uint8Array,
  options: {
    feedback?: string;
    maxTokens?: number;
    mode?: 'constrained' | 'tool' | 'plain';
    model?: string;
  } = {},
): Params {
  const mode = options.mode ?? 'constrained';
  const printed = `Answer with exactly one JSON value.\n\n\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``;
  return {
    model: options.model ?? 'claude-haiku-5-5',
    max_tokens: options.maxTokens ?? 20_000,
    system:
      mode === 'plain'
        ? printed
        : 'Extract the data of the document. Answer "not_printed" for what is not there.',
    messages: [
      {
        role: 'user',
        content: [
          documentBlock(document),
          { type: 'text', text: 'Extract the record.' },
          ...(options.feedback ? [{ type: 'text' as const, text: options.feedback }] : []),
        ],
      },
    ],
    ...(mode === 'constrained' ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
    ...(mode === 'tool'
      ? {
          tools: [{ name: 'record', strict: true, input_schema: { ...schema, type: 'object' as const } }],
          tool_choice: { type: 'auto' as const },
        }
      : {}),
  };
}

export function documentBlock(document: string | Uint8Array): Anthropic.DocumentBlockParam {
  if (typeof document === 'string') {
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: document } };
  }
  const data = Buffer.from(document).toString('base64');
  return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } };
}

/** The text of a reply; empty when it has none. */
export function textOf(message: Anthropic.Message): string {
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

export function recordOf(message: Anthropic.Message): Record<string, unknown> {
  return JSON.parse(textOf(message)) as Record<string, unknown>;
}

/** A stand-in that answers at once, and an SDK client that does not retry. Closed after the tests of the file. */
export async function startStandin(
  behaviour: Partial<Behaviour> = {},
): Promise<{ standin: Standin; url: string; client: Anthropic }> {
  const standin = createStandin({ behaviour: { latencyMs: 0, msPerToken: 0, ...behaviour } });
  const url = await standin.listen(0, '127.0.0.1');
  afterAll(() => standin.close());
  return { standin, url, client: new Anthropic({ apiKey: 'test-key', baseURL: url, maxRetries: 0 }) };
}

export async function post(url: string, path: string, body: unknown = {}): Promise<Json> {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as Json;
}

/** The refusal of a request as a caller sees it. */
export async function refusal(
  url: string,
  params: unknown,
  path = '/v1/messages',
): Promise<{ status: number; type: string; message: string }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer k',
      'anthropic-version': '2026-10-21',
      'content-type': 'application/json',
    },
    body: typeof params === 'string' ? params : JSON.stringify(params),
  });
  const body = (await response.json()) as { error: { type: string; message: string }; request_id: string };
  expect(body.request_id).toBe(response.headers.get('request-id'));
  return { status: response.status, type: body.error.type, message: body.error.message };
}
