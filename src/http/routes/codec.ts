import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Principal } from '../../domain/principal.js';
import { type HistoryCodec, UndecodablePayload, type WirePayload } from '../../ports/payload-codec.js';
import { needs } from '../access.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { HttpProblem } from '../problem.js';
import { answer, jsonBody, problem } from './answers.js';

/** Base64 of any length. */
const bytes = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/, { error: 'base64' });

const Payloads = z
  .object({
    payloads: z.array(z.object({ metadata: z.record(z.string(), bytes).optional(), data: bytes.optional() })),
  })
  .openapi('Payloads', { description: 'Values as the engine keeps them: metadata and data in base64.' });

const SignedIn = z.object({ says: z.string() }).openapi('SignedIn');

const route = (direction: 'encode' | 'decode', summary: string) =>
  createRoute({
    operationId: direction === 'encode' ? 'encodePayloads' : 'decodePayloads',
    method: 'post',
    path: `/codec/${direction}`,
    tags: ['Codec'],
    security: needs('operate'),
    summary,
    request: { body: jsonBody(Payloads) },
    responses: { 200: answer('In the same order.', Payloads), default: problem },
  });

const signIn = createRoute({
  operationId: 'signInToCodec',
  method: 'get',
  path: '/codec',
  tags: ['Codec'],
  security: needs('operate'),
  summary: 'Sign a browser in, so that the Temporal UI may decode in it',
  responses: { 200: answer('The browser keeps the key.', SignedIn), default: problem },
});

/** Codec server of the Temporal UI and command line, both of which add `/encode` and `/decode` to its address. */
export function codecRoutes(api: OpenAPIHono<HttpEnv>, { codec = null }: HttpDeps): void {
  api.openapi(signIn, (c) => {
    assertAllTenants(c.get('principal'));
    usable(codec);
    return c.json({ says: 'The Temporal UI may decode histories in this browser now.' }, 200);
  });
  api.openapi(route('encode', 'Encrypt values with the current key'), async (c) => {
    assertAllTenants(c.get('principal'));
    const { payloads } = c.req.valid('json');
    return c.json({ payloads: (await usable(codec).encode(payloads.map(read))).map(written) }, 200);
  });
  api.openapi(route('decode', 'Decrypt values of workflow histories'), async (c) => {
    assertAllTenants(c.get('principal'));
    const { payloads } = c.req.valid('json');
    const opened = await usable(codec)
      .decode(payloads.map(read))
      .catch((error: unknown) => {
        if (!(error instanceof UndecodablePayload)) throw error;
        throw new HttpProblem({
          slug: 'undecodable',
          detail: error.message,
        });
      });
    return c.json({ payloads: opened.map(written) }, 200);
  });
}

/** Lets the pages of the Temporal UI ask, and no others; before the guard, since browsers ask without a key whether they may. */
export function allowUi(uiUrl: string | null): MiddlewareHandler<HttpEnv> {
  const origin = uiUrl === null ? null : new URL(uiUrl).origin;
  return cors({
    origin: (asking) => (asking === origin ? asking : null),
    allowMethods: ['POST'],
    allowHeaders: ['authorization', 'content-type', 'x-namespace'],
    credentials: true,
    maxAge: 600,
  });
}

/**
 * A browser cannot be told to send a bearer, but it keeps what it was asked for by name and password: the key as the
 * password of any name is the same key.
 */
export const passwordAsKey: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const given = /^Basic +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (given !== undefined) {
    const [, key = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(given, 'base64').toString('utf8')) ?? [];
    const headers = new Headers(c.req.raw.headers);
    headers.set('authorization', `Bearer ${key.replace(/[^\x21-\x7e]/g, '')}`);
    c.req.raw = new Request(c.req.raw, { headers });
  }
  await next();
  // Only this makes a browser ask its user.
  if (c.res.status === 401) c.header('WWW-Authenticate', 'Basic realm="endstop"', { append: true });
};

/** A value does not say whose it is, so whoever sees one tenant only sees none. */
function assertAllTenants({ name, tenant }: Principal): void {
  if (tenant === null) return;
  throw new HttpProblem({
    slug: 'forbidden',
    detail: `Histories are of all tenants, and the key "${name}" is of the tenant "${tenant}".`,
  });
}

function usable(codec: HistoryCodec | null): HistoryCodec {
  if (codec !== null) return codec;
  throw new HttpProblem({
    slug: 'not-found',
    detail: 'Histories are not encrypted here: ENDSTOP_CODEC_KEYS holds no key.',
  });
}

function read({ metadata = {}, data = '' }: z.infer<typeof Payloads>['payloads'][number]): WirePayload {
  const entries = Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text, 'base64')]);
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data, 'base64') };
}

function written({ metadata, data }: WirePayload) {
  const entries = Object.entries(metadata).map(([name, value]) => [
    name,
    Buffer.from(value).toString('base64'),
  ]);
  return {
    metadata: Object.fromEntries(entries) as Record<string, string>,
    data: Buffer.from(data).toString('base64'),
  };
}
