import { describe, expect, it } from 'vitest';
import { roles } from '../../src/domain/principal.js';
import { createApi } from './api.js';

interface Operation {
  readonly responses: Record<string, unknown>;
  readonly summary?: string;
  readonly security?: readonly { readonly key?: readonly string[] }[];
}

interface Description {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, { oneOf?: unknown[]; discriminator?: unknown }> };
}

const describeApi = async () => (await createApi().get('/openapi.json')).body as Description;

describe('the API description', () => {
  it('is OpenAPI 3.1 and names every endpoint', async () => {
    const { openapi, paths } = await describeApi();
    expect(openapi).toBe('3.1.0');
    const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(endpoints.sort()).toEqual([
      'DELETE /v1/documents/{hash}',
      'DELETE /v1/webhooks/{id}',
      'GET /codec',
      'GET /healthz',
      'GET /readyz',
      'GET /v1/audit',
      'GET /v1/audits',
      'GET /v1/audits/{id}',
      'GET /v1/batches',
      'GET /v1/batches/{id}',
      'GET /v1/batches/{id}/documents',
      'GET /v1/batches/{id}/events',
      'GET /v1/dead-letters',
      'GET /v1/dead-letters/groups',
      'GET /v1/dead-letters/{id}',
      'GET /v1/extractions',
      'GET /v1/extractions/{id}',
      'GET /v1/extractions/{id}/attempts',
      'GET /v1/extractions/{id}/document',
      'GET /v1/extractions/{id}/events',
      'GET /v1/records',
      'GET /v1/redrives/{id}',
      'GET /v1/repairs',
      'GET /v1/reports',
      'GET /v1/reports/audits',
      'GET /v1/reports/completeness',
      'GET /v1/reports/cost',
      'GET /v1/reports/estimates',
      'GET /v1/reports/latency',
      'GET /v1/reports/repairs',
      'GET /v1/reports/yield',
      'GET /v1/reviews',
      'GET /v1/reviews/queue',
      'GET /v1/reviews/{id}',
      'GET /v1/reviews/{id}/draft',
      'GET /v1/specs',
      'GET /v1/specs/{spec}',
      'GET /v1/specs/{spec}/evaluations',
      'GET /v1/tenants',
      'GET /v1/webhook-deliveries',
      'GET /v1/webhooks',
      'HEAD /v1/extractions/{id}/document',
      'POST /codec/decode',
      'POST /codec/encode',
      'POST /v1/audits',
      'POST /v1/batches',
      'POST /v1/batches/{id}/cancel',
      'POST /v1/dead-letters/redrive',
      'POST /v1/extractions',
      'POST /v1/extractions/{id}/cancel',
      'POST /v1/redrives/{id}/cancel',
      'POST /v1/repairs/pause',
      'POST /v1/repairs/resume',
      'POST /v1/reviews/next',
      'POST /v1/reviews/{id}/check',
      'POST /v1/reviews/{id}/claim',
      'POST /v1/reviews/{id}/decision',
      'POST /v1/reviews/{id}/heartbeat',
      'POST /v1/reviews/{id}/release',
      'POST /v1/webhook-deliveries/{id}/resend',
      'POST /v1/webhooks',
      'POST /v1/webhooks/{id}/rotate',
      'PUT /v1/audits/records/{id}/verdict',
      'PUT /v1/reviews/{id}/draft',
      'PUT /v1/tenants/{tenant}/limits',
    ]);
  });

  it('says of every endpoint what it does, and that it may answer with a problem', async () => {
    const { paths } = await describeApi();
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        expect(operation.summary, path).toBeTruthy();
        // Answers to HEAD have no body.
        if (method !== 'head' && /^\/(v1|codec)(\/|$)/.test(path)) {
          expect(operation.responses['default'], path).toMatchObject({
            content: {
              'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
            },
          });
        }
      }
    }
  });

  it('tells the two outcomes apart by their kind', async () => {
    const { components } = await describeApi();
    expect(components.schemas['Outcome']).toMatchObject({
      oneOf: [{ $ref: '#/components/schemas/Verified' }, { $ref: '#/components/schemas/Unverified' }],
      discriminator: {
        propertyName: 'kind',
        mapping: { verified: '#/components/schemas/Verified', unverified: '#/components/schemas/Unverified' },
      },
    });
  });

  it('refers only to schemas that are there', async () => {
    const description = await describeApi();
    const references = JSON.stringify(description).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    for (const [, name] of references) expect(Object.keys(description.components.schemas)).toContain(name);
  });

  it('names for every operation the role that its key needs, and asks for none where health is told', async () => {
    const { paths } = await describeApi();
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        const named = security?.flatMap(({ key }) => key ?? []);
        if (/^\/(v1|codec)(\/|$)/.test(path)) {
          expect(named, `${method} ${path}`).toHaveLength(1);
          expect(roles, `${method} ${path}`).toContain(named?.[0]);
        } else {
          expect(named, `${method} ${path}`).toEqual([]);
        }
      }
    }
  });
});

it('describes a document by its hash as each operation takes it: no two schemas share a name', async () => {
  const { components } = (await createApi().get('/openapi.json')).body as {
    components: { schemas: Record<string, { properties: object }> };
  };
  const fields = (name: string) => Object.keys(components.schemas[name]?.properties ?? {});
  expect(fields('StoredDocument')).toEqual(['sha256']);
  expect(fields('BatchStoredDocument')).toEqual(['documentHash']);
});
