import { Writable } from 'node:stream';
import type { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { createApp } from '../../src/http/app.js';
import type { HttpDeps } from '../../src/http/environment.js';
import { createLogger } from '../../src/http/log.js';
import { ProblemDetails } from '../../src/http/problem.js';
import { type Bench, createBench } from '../support/fakes/bench.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Api extends Bench {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  request(path: string, init: RequestInit): Promise<Answer>;
  /** The answer as it comes, for those that are not JSON. */
  fetch(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Everything that was logged. */
  readonly log: string[];
}

/** The API over fakes, asked without a socket. */
export function createApi(changes: Partial<HttpDeps> = {}): Api {
  const bench = createBench();
  const log: string[] = [];
  const stream = new Writable({
    write: (piece, _encoding, done) => {
      log.push(String(piece));
      done();
    },
  });
  const app = createApp({
    app: bench.app,
    apiKey: null,
    tenant: 'acme',
    inFlight: 4,
    logger: createLogger('info', stream),
    version: '0.1.0',
    ...changes,
  });
  const request = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await app.request(path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
  return {
    ...bench,
    log,
    request,
    fetch: async (path, headers = {}) => await app.request(path, { headers }),
    get: (path, headers = {}) => request(path, { headers }),
    post: (path, body, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}

/** The body is what the API description says, with nothing beside it. */
export function conforms<Schema extends z.ZodType>(schema: Schema, { body }: Answer): z.output<Schema> {
  const read = schema.parse(body);
  expect(read).toEqual(body);
  return read;
}

/** The answer is a problem document of this status and type; its body, for more. */
export function problemIn(answer: Answer, status: number, slug: string): z.output<typeof ProblemDetails> {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const problem = conforms(ProblemDetails, answer);
  expect({ status: answer.status, type: problem.type }).toEqual({
    status,
    type: `/problems/${slug}`,
  });
  expect(problem.status).toBe(status);
  expect(problem.requestId).toBe(answer.headers.get('x-request-id'));
  return problem;
}

export const submission = (changes: object = {}) => ({
  spec: 'receipt',
  document: { text: 'a receipt' },
  ...changes,
});
