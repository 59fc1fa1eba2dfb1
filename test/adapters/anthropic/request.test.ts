import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { packPages, pagesMediaType } from '../../../src/ports/page-images.js';
import { apiKey, ask, documentText, faultOf, request } from './ask.js';
import { type Provider, says, startProvider } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());
afterEach(() => vi.unstubAllEnvs());

/** What one call puts on the wire. */
async function sent(changes: Parameters<typeof request>[0] = {}) {
  provider.answers(says('{"total":"1"}'));
  await ask(provider.baseUrl, changes);
  const [arrived] = provider.arrived;
  if (arrived === undefined) throw new Error('Nothing arrived.');
  return arrived;
}

const bytes = Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0x00, 0xff, 0xfe]);
const base64 = Buffer.from(bytes).toString('base64');

describe('the request on the wire', () => {
  it('is the cached system prefix, the document and the task, with the schema as it is', async () => {
    const { method, path, body } = await sent();
    expect([method, path]).toEqual(['POST', '/v1/messages']);
    expect(body).toEqual({
      model: 'claude-haiku-5-5',
      max_tokens: 1500,
      system: [{ type: 'text', text: 'Extract the claim.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: documentText } },
            { type: 'text', text: 'Return the record.' },
          ],
        },
      ],
      output_config: { effort: 'low', format: { type: 'json_schema', schema: request().schema } },
    });
  });

  it('ends with the feedback on a repair, and changes nothing before it', async () => {
    const first = await sent();
    const repair = await sent({ feedback: 'The total must equal the sum.' });
    const content = (body: unknown) => (body as { messages: [{ content: unknown[] }] }).messages[0].content;
    expect(content(repair.body)).toEqual([
      ...content(first.body),
      { type: 'text', text: 'The total must equal the sum.' },
    ]);
    expect(repair.body).toMatchObject({ system: (first.body as { system: unknown[] }).system });
  });

  it.each([
    [
      'application/pdf',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64 } },
    ],
    [
      'Application/PDF; x=1',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64 } },
    ],
    ['image/png', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } }],
    ['image/jpeg', { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: base64 } }],
    ['image/webp', { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: base64 } }],
  ])('carries %s as what it is', async (mediaType, block) => {
    const { body } = await sent({ document: { mediaType, bytes } });
    expect(body).toMatchObject({ messages: [{ content: [block, { type: 'text' }] }] });
  });

  it('carries several pages as image blocks in their order, before the task', async () => {
    const pages = [
      { mediaType: 'image/png', bytes },
      { mediaType: 'image/webp', bytes: Uint8Array.of(7) },
      { mediaType: 'image/jpeg', bytes: Uint8Array.of(8, 9) },
    ];
    const { body } = await sent({ document: { mediaType: pagesMediaType, bytes: packPages(pages) } });
    const content = pages.map((page) => ({
      type: 'image',
      source: {
        type: 'base64',
        media_type: page.mediaType,
        data: Buffer.from(page.bytes).toString('base64'),
      },
    }));
    expect(body).toMatchObject({
      messages: [{ role: 'user', content: [...content, { type: 'text', text: 'Return the record.' }] }],
    });
  });

  it('carries the bytes it was given and none beside them', async () => {
    const around = Uint8Array.from([1, 2, ...bytes, 3, 4]);
    const { body } = await sent({
      document: { mediaType: 'image/png', bytes: around.subarray(2, 2 + bytes.length) },
    });
    expect(body).toMatchObject({ messages: [{ content: [{ source: { data: base64 } }, {}] }] });
  });

  it.each(['text/plain; charset=utf-8', 'text/csv'])('carries %s as text', async (mediaType) => {
    const { body } = await sent({
      document: { mediaType, bytes: new TextEncoder().encode('\ufeffPrämie;7') },
    });
    const source = { type: 'text', media_type: 'text/plain', data: 'Prämie;7' };
    expect(body).toMatchObject({ messages: [{ content: [{ type: 'document', source }, {}] }] });
  });

  it('forces the one strict tool where the model lets it be forced, and only offers it elsewhere', async () => {
    const forced = await sent({ mode: 'tool' });
    expect(forced.body).toMatchObject({
      tools: [{ name: 'record', strict: true, input_schema: request().schema }],
      tool_choice: { type: 'tool', name: 'record', disable_parallel_tool_use: true },
      output_config: { effort: 'low' },
    });
    expect(forced.body).not.toHaveProperty('output_config.format');
    const offered = await sent({ mode: 'tool', model: 'claude-sonnet-5-5' });
    expect(offered.body).toMatchObject({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } });
  });

  it('has neither tool nor format in plain mode', async () => {
    const { body } = await sent({ mode: 'plain' });
    expect(body).not.toHaveProperty('tools');
    expect(body).toMatchObject({ output_config: { effort: 'low' } });
    expect(body).not.toHaveProperty('output_config.format');
  });

  it('leaves the effort out for a model that has no such setting', async () => {
    expect((await sent({ model: 'claude-haiku-4-5', mode: 'plain' })).body).not.toHaveProperty(
      'output_config',
    );
    expect((await sent({ model: 'claude-haiku-4-5' })).body).not.toHaveProperty('output_config.effort');
  });

  it('shows the key as a bearer token, whatever credentials the environment holds', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-of-the-environment');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-of-the-environment');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
    const { headers } = await sent();
    expect(headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(JSON.stringify(headers)).not.toContain('of-the-environment');
  });

  it('prints nothing, even where the environment asks the SDK to', async () => {
    vi.stubEnv('ANTHROPIC_LOG', 'debug');
    const printed: unknown[] = [];
    for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((...args) => void printed.push(args));
    }
    await sent();
    vi.restoreAllMocks();
    expect(printed).toEqual([]);
  });
});

describe('a request that cannot be sent', () => {
  it.each([
    [
      'an unknown model',
      { model: 'claude-2' },
      /^There is no model "claude-2" in the price and mode table; use one of claude-/,
    ],
    ['a model that is no name', { model: 'x\n DOCUMENTMARK' }, /^There is no model with that name in/],
    ['a model named like an object member', { model: 'constructor' }, /^There is no model "constructor"/],
    [
      'a media type without a block',
      { document: { mediaType: 'image/tiff', bytes } },
      /takes text, PDF, PNG, JPEG and WebP/,
    ],
    [
      'pages that cannot be told apart',
      { document: { mediaType: pagesMediaType, bytes } },
      /^The pages of the document cannot be told apart\.$/,
    ],
    [
      'a text that is not UTF-8',
      { document: { mediaType: 'text/plain', bytes } },
      /^A text document must be UTF-8\.$/,
    ],
  ])('(%s) is a permanent fault without a call', async (_what, changes, said) => {
    provider.answers();
    const fault = await faultOf(ask(provider.baseUrl, changes));
    expect([fault.kind, fault.faultClass, fault.status]).toEqual(['permanent', 'unsupported', null]);
    expect(fault.message).toMatch(said);
    expect(fault.message).not.toContain('DOCUMENTMARK');
    expect(provider.arrived).toHaveLength(0);
  });
});
