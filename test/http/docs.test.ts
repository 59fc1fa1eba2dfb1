import { readdirSync, readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.js';
import { createLogger } from '../../src/http/log.js';
import { problemTypes } from '../../src/http/problem-types.js';
import { createBench } from '../support/fakes/bench.js';

const app = createApp({
  ...{ app: createBench().app, apiKey: '0123456789abcdef', tenant: 'acme', inFlight: 4, version: '0.1.0' },
  logger: createLogger('silent'),
});
const text = async (path: string) => (await app.request(path)).text();

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, { description: string }>;
}
const description = async () =>
  JSON.parse(await text('/openapi.json')) as { paths: Record<string, Record<string, Operation>> };

describe('the API description', () => {
  it('is valid against the meta-schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(
      JSON.parse(await text('/openapi.json')) as Record<string, unknown>,
    );
    expect(result).toMatchObject({ valid: true });
  });

  it('names every operation once, with every problem it may answer', async () => {
    const { paths } = await description();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id ?? '-'))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operationId, responses } of operations) {
      if (!path.startsWith('/v1/')) continue;
      expect(Object.keys(responses), operationId).toEqual(
        expect.arrayContaining(['400', '401', '403', '429', '500', '503']),
      );
    }
  });
});

describe('the pages', () => {
  it('show every operation, without a key, without script and without a request to anywhere else', async () => {
    const { paths } = await description();
    const answer = await app.request('/docs');
    const page = await answer.text();
    for (const methods of Object.values(paths)) {
      for (const { operationId } of Object.values(methods))
        expect(page.includes(`id="${operationId}"`), operationId).toBe(true);
    }
    expect(/<script|style=|(?:src|href)="https?:|<[^>]*\son\w+=/i.exec(page)?.[0]).toBeUndefined();
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    expect((await app.request('/docs.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it('show what an operation takes and answers: schemas, examples, and the fields of a form', async () => {
    const page = await text('/docs');
    const one = (id: string) => page.slice(page.indexOf(`<article id="${id}"`)).split('</article>')[0] ?? '';
    expect(one('submitExtraction')).toMatch(/multipart\/form-data<\/code> <details>.*?webhookUrl/s);
    expect(one('readExtraction')).toMatch(/<td>200<\/td>.*?href="#schema-Extraction".*?total_claimed/s);
    for (const [, name] of page.matchAll(/href="#schema-(\w+)"/g))
      expect(page).toContain(`id="schema-${name}"`);
  });

  it('have one for every kind of problem, and for no other', async () => {
    for (const [slug, { title }] of Object.entries(problemTypes)) {
      expect(await text(`/problems/${slug}`)).toContain(`<h1>${title.replaceAll("'", '&#39;')}</h1>`);
      expect(await text('/problems')).toContain(`href="/problems/${slug}"`);
    }
    for (const slug of ['no-such', 'toString', '__proto__']) {
      expect((await app.request(`/problems/${slug}`)).status).toBe(404);
    }
  });

  it('have one for every kind that the code names', () => {
    const folder = new URL('../../src/http/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const named = files.flatMap((name) =>
      [...readFileSync(new URL(name, folder), 'utf8').matchAll(/slug: '([\w-]+)'/g)].map(
        ([, slug = '']) => slug,
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((slug) => !Object.hasOwn(problemTypes, slug))).toEqual([]);
  });
});
