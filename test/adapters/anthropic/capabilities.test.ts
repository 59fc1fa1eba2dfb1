import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCapabilities, type ModelUse } from '../../../src/adapters/anthropic/check-capabilities.js';
import { apiKey } from './ask.js';
import { type Answer, errorBody, json, type Provider, startProvider } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

const yes = { supported: true };
const no = { supported: false };
const described = (
  id: string,
  changes: Record<string, unknown> = {},
  capabilities: Record<string, unknown> = {},
) =>
  json(
    JSON.stringify({
      id,
      type: 'model',
      lifecycle: 'active',
      retires_at: null,
      max_tokens: 128_000,
      max_input_tokens: 1_000_000,
      capabilities: {
        structured_outputs: yes,
        effort: { ...yes, low: yes },
        pdf_input: yes,
        image_input: yes,
        ...capabilities,
      },
      ...changes,
    }),
  );
const haiku: ModelUse = { model: 'claude-haiku-5-5', mode: null, maxTokens: 4_000 };

async function check(answers: Answer[], uses: ModelUse[] = [haiku]) {
  provider.answers(...answers);
  return await checkCapabilities({ apiKey, baseUrl: provider.baseUrl }, uses);
}
const found = (severity: string, message: string) => [{ severity, model: 'claude-haiku-5-5', message }];

describe('the capability check at boot', () => {
  it('finds nothing where the provider agrees, and asks once for a model', async () => {
    expect(await check([described('claude-haiku-5-5')], [haiku, { ...haiku, mode: 'tool' }])).toEqual([]);
    expect(provider.arrived.map((one) => one.path)).toEqual(['/v1/models/claude-haiku-5-5']);
  });

  it('names an unknown model without asking for it', async () => {
    const [finding] = await check([], [{ ...haiku, model: 'claude-9' }]);
    expect(finding).toMatchObject({ severity: 'error', model: 'claude-9' });
    expect(finding?.message).toMatch(
      /^There is no model "claude-9" in the price and mode table; use one of .*\.$/,
    );
    expect(provider.arrived).toHaveLength(0);
  });

  it.each([
    [
      'retired',
      described('x', { lifecycle: 'retired' }),
      'error',
      'Model "claude-haiku-5-5" is retired; choose another model.',
    ],
    [
      'deprecated',
      described('x', { lifecycle: 'deprecated', retires_at: '2027-01-22T00:00:00Z' }),
      'warning',
      'Model "claude-haiku-5-5" is deprecated and retires on 2027-01-22; plan a successor.',
    ],
    [
      'deprecated without a day',
      described('x', { lifecycle: 'deprecated' }),
      'warning',
      'Model "claude-haiku-5-5" is deprecated; plan a successor.',
    ],
    [
      'without structured outputs',
      described('x', {}, { structured_outputs: no }),
      'error',
      'Model "claude-haiku-5-5" has no constrained mode; set the spec\'s mode to "plain" or choose another model.',
    ],
    [
      'without low effort',
      described('x', {}, { effort: { ...yes, low: no } }),
      'error',
      'Model "claude-haiku-5-5" refuses the effort setting that this version sends; choose another model.',
    ],
    [
      'without PDFs',
      described('x', {}, { pdf_input: no }),
      'warning',
      'Model "claude-haiku-5-5" does not take PDF documents.',
    ],
    [
      'without images',
      described('x', {}, { image_input: no }),
      'warning',
      'Model "claude-haiku-5-5" does not take scanned images.',
    ],
    [
      'with a shorter output',
      described('x', { max_tokens: 2_048 }),
      'error',
      'Model "claude-haiku-5-5" writes at most 2048 tokens; lower the spec\'s token ceiling of 4000.',
    ],
    [
      'with a smaller context',
      described('x', { max_input_tokens: 100_000 }),
      'warning',
      'Model "claude-haiku-5-5" takes 100000 input tokens, not 1000000: long documents may not fit.',
    ],
    [
      'unknown to the provider',
      json(errorBody('not_found_error'), 404),
      'error',
      'The model API has no model "claude-haiku-5-5" for this key; choose another model.',
    ],
    [
      'asked for with a bad key',
      json(errorBody('authentication_error'), 401),
      'error',
      'Model "claude-haiku-5-5" was not checked. The model API answered status 401, authentication_error: check ANTHROPIC_API_KEY.',
    ],
    [
      'on a server without a models endpoint',
      json('{"detail":"Not Found"}', 404),
      'warning',
      'Model "claude-haiku-5-5" was not checked. The model API answered status 404: check the model name and ANTHROPIC_BASE_URL.',
    ],
    [
      'on a server that answers with a page',
      ((response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>')) as Answer,
      'warning',
      'Model "claude-haiku-5-5" was not checked: the server does not describe its models.',
    ],
    [
      'in an outage',
      json(errorBody('overloaded_error'), 529),
      'warning',
      'Model "claude-haiku-5-5" was not checked. The model API answered status 529, overloaded_error.',
    ],
    [
      'on a server that hangs up',
      ((response) => response.destroy()) as Answer,
      'warning',
      'Model "claude-haiku-5-5" was not checked. The connection to the model API failed (UND_ERR_SOCKET).',
    ],
  ])('says in one sentence when a model is %s', async (_what, answer, severity, message) => {
    expect(await check([answer])).toEqual(found(severity, message));
  });

  it('does not ask for structured outputs in plain mode', async () => {
    const answer = described('x', {}, { structured_outputs: no });
    expect(await check([answer], [{ ...haiku, mode: 'plain' }])).toEqual([]);
  });

  it('holds a token ceiling against the table where the provider says nothing', async () => {
    const findings = await check([json('{"id":"x"}')], [{ ...haiku, maxTokens: 128_001 }]);
    expect(findings.map((one) => one.severity)).toEqual(['error']);
  });
});
