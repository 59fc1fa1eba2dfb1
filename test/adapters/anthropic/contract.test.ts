import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCapabilities } from '../../../src/adapters/anthropic/check-capabilities.js';
import { createAnthropicExtractor } from '../../../src/adapters/anthropic/extractor.js';
import { prices } from '../../../src/adapters/anthropic/prices.js';
import type { RequestMode } from '../../../src/domain/request-mode.js';
import type { Extractor, ExtractorRequest } from '../../../src/ports/extractor.js';
import { createStandin } from '../../../src/standin/server.js';
import { faultOf, patience } from './ask.js';

// The same calls against the stand-in and, given a key of its own, against the real API, where they cost a few cents:
// ENDSTOP_CONTRACT_API_KEY=... npx vitest run test/adapters/anthropic/contract.test.ts
const realKey = process.env['ENDSTOP_CONTRACT_API_KEY'];

const lines = ['Claim number: C-77', 'Insured: Amal Haddad', 'Total: 1204.375', 'Currency: BHD'];
const field = (description: string) => ({ type: 'string', description });
const schema = {
  type: 'object',
  properties: {
    claim_number: field('Claim number'),
    total: field('Total, digit by digit as printed, without the currency'),
    currency: field('Currency, ISO 4217'),
  },
  required: ['claim_number', 'total', 'currency'],
  additionalProperties: false,
};

function request(changes: Partial<ExtractorRequest> = {}): ExtractorRequest {
  return {
    model: 'claude-haiku-5-5',
    maxTokens: 1_500,
    mode: null,
    system: `Extract the claim from the document as one JSON object and nothing else. JSON schema:\n${JSON.stringify(schema)}`,
    schema,
    document: { mediaType: 'text/plain', bytes: new TextEncoder().encode(`${lines.join('\n')}\n`) },
    task: 'Return the record of this document.',
    feedback: null,
    ...changes,
  };
}

function pdf(): Promise<Uint8Array> {
  const document = new PDFDocument();
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const line of lines) document.text(line);
  document.end();
  return new Promise((resolve) => document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks)))));
}

interface Target {
  readonly name: string;
  readonly open: () => Promise<{ readonly apiKey: string; readonly baseUrl: string }>;
  readonly close: () => Promise<void>;
}

const standin = createStandin({ behaviour: { latencyMs: 0, msPerToken: 0 } });
const targets: Target[] = [
  {
    name: 'the stand-in',
    open: async () => ({ apiKey: 'any-key', baseUrl: await standin.listen(0, '127.0.0.1') }),
    close: () => standin.close(),
  },
  {
    name: 'the real API',
    open: async () => ({ apiKey: realKey ?? '', baseUrl: 'https://api.anthropic.com' }),
    close: async () => {},
  },
];

describe.each(targets)('$name', (target) => {
  const skipped = target.name === 'the real API' && realKey === undefined;
  let at: { readonly apiKey: string; readonly baseUrl: string };
  let extractor: Extractor;
  beforeAll(async () => {
    if (skipped) return;
    at = await target.open();
    extractor = createAnthropicExtractor({ provider: 'one of the two', ...at });
  });
  afterAll(async () => {
    if (!skipped) await target.close();
  });
  const call = (changes: Partial<ExtractorRequest>) =>
    extractor.call(request(changes), { ...patience(), timeoutMs: 30_000 });
  const test = (name: string) => (skipped ? `${name} (skipped: set ENDSTOP_CONTRACT_API_KEY)` : name);

  const modes: [RequestMode, string][] = [
    ['constrained', 'claude-haiku-5-5'],
    ['tool', 'claude-haiku-5-5'],
    ['tool', 'claude-sonnet-5-5'],
    ['plain', 'claude-haiku-5-5'],
    ['constrained', 'claude-haiku-4-5'],
  ];
  it.skipIf(skipped).each(modes)(
    test('answers in %s mode as %s, with usage and a request id'),
    async (mode, model) => {
      const reply = await call({ mode, model });
      expect(reply.mode).toBe(mode);
      expect(['end_turn', 'tool_use']).toContain(reply.stopReason);
      expect(reply.text).toContain('C-77');
      expect(reply.text).toMatch(/"total"\s*:\s*"1,?204\.375"/);
      expect(reply.requestId).toMatch(/^req_/);
      if (reply.usage === 'unknown') throw new Error('The usage is unknown.');
      expect(reply.usage.inputTokens).toBeGreaterThan(0);
      expect(reply.spending).toMatchObject({
        known: true,
        tokens: reply.usage.inputTokens + reply.usage.outputTokens,
      });
      expect(reply.spending.tokens).toBeLessThanOrEqual(extractor.estimate(request({ mode, model })).tokens);
    },
  );

  it.skipIf(skipped)(test('reads a PDF'), async () => {
    const reply = await call({ document: { mediaType: 'application/pdf', bytes: await pdf() } });
    expect(reply.text).toContain('1204.375');
  });

  it.skipIf(skipped)(test('says that it was cut off at the ceiling'), async () => {
    const reply = await call({ maxTokens: 4 });
    expect(reply.stopReason).toBe('max_tokens');
    expect(reply.text.length).toBeLessThan(60);
  });

  it.skipIf(skipped)(test('rejects a schema keyword it does not know, for good'), async () => {
    const fault = await faultOf(call({ schema: { ...schema, minProperties: 1 } }));
    expect(fault).toMatchObject({ kind: 'permanent', faultClass: 'rejected', status: 400 });
    expect(fault.requestId).toMatch(/^req_/);
  });

  it.skipIf(skipped)(test('describes its models as the table does'), async () => {
    const uses = Object.keys(prices).map((model) => ({ model, mode: null, maxTokens: 4_000 }));
    expect(await checkCapabilities(at, uses)).toEqual([]);
  });
});

describe('the stand-in, misbehaving', () => {
  const faulty = (behaviour: Record<string, number>) =>
    createStandin({ behaviour: { latencyMs: 0, msPerToken: 0, ...behaviour } });
  it.each([
    [
      { rate429: 1, retryAfterSeconds: 4 },
      { kind: 'transient', faultClass: 'rate_limited', status: 429, retryAfterMs: 4_000 },
    ],
    [{ rateSpendLimit: 1 }, { kind: 'permanent', faultClass: 'spend_limit', status: 429 }],
    [{ rate529: 1 }, { kind: 'transient', faultClass: 'overloaded', status: 529 }],
    [{ rate500: 1 }, { kind: 'transient', faultClass: 'server_error', status: 500 }],
    [{ rate502html: 1 }, { kind: 'transient', faultClass: 'server_error', status: 502 }],
    [{ rate200html: 1 }, { kind: 'transient', faultClass: 'bad_body', status: 200 }],
    [{ reset: 1 }, { kind: 'transient', faultClass: 'connection', status: null }],
    [{ halfBody: 1 }, { kind: 'transient', faultClass: 'connection', status: 200 }],
    [{ stalledBody: 1 }, { kind: 'transient', faultClass: 'stalled', status: 200 }],
    [{ slowHeaders: 1 }, { kind: 'transient', faultClass: 'stalled', status: null }],
  ])('%j is a fault of its class', async (behaviour, expected) => {
    const server = faulty(behaviour);
    const baseUrl = await server.listen(0, '127.0.0.1');
    try {
      const extractor = createAnthropicExtractor({ provider: 'stand-in', apiKey: 'any-key', baseUrl });
      const stalls = expected.faultClass === 'stalled';
      const call = extractor.call(request(), { ...patience(), timeoutMs: stalls ? 300 : 10_000 });
      expect(await faultOf(call)).toMatchObject(expected);
      expect(server.stats().requests).toBe(1);
    } finally {
      await server.close();
    }
  });

  it.each([
    [{ missingUsage: 1 }, { usage: 'unknown', spending: { known: false } }],
    [{ emptyReply: 1 }, { stopReason: 'end_turn', text: '' }],
    [{ thinkingTokens: 50 }, { usage: { thinkingTokens: 50 } }],
  ])('%j is a reply all the same', async (behaviour, expected) => {
    const server = faulty(behaviour);
    const baseUrl = await server.listen(0, '127.0.0.1');
    try {
      const extractor = createAnthropicExtractor({ provider: 'stand-in', apiKey: 'any-key', baseUrl });
      expect(await extractor.call(request(), patience())).toMatchObject(expected);
    } finally {
      await server.close();
    }
  });
});
