import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { internalError, invalidRequest, notFound, unauthenticated } from './api-fault.js';
import { type Behaviour, changeBehaviour, DEFAULT_BEHAVIOUR } from './behaviour.js';
import { sha256 } from './dice.js';
import { readBody } from './http-body.js';
import { isObject } from './json.js';
import { countTokens, createMessage } from './messages-endpoint.js';
import { findModel, modelInfo, modelPage } from './models.js';
import { PromptCache } from './prompt-cache.js';
import { sendFault, sendJson } from './replies.js';
import { Counter, type Stats } from './stats.js';

export interface StandinOptions {
  /** Settings that differ from {@link DEFAULT_BEHAVIOUR}. */
  readonly behaviour?: Partial<Behaviour>;
  /** The only key accepted; any key is when absent. */
  readonly apiKey?: string;
}

export interface Standin {
  /** Starts listening; port 0 takes a free one. Resolves to the base URL. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<string>;
  /** Stops listening and cuts every open connection. */
  close(): Promise<void>;
  stats(): Stats;
}

/** Requests per minute that the rate-limit headers speak of; nothing enforces it. */
const NOMINAL_RATE = 4000;

/**
 * A server that speaks the Messages API and reads the documents it is sent by rules.
 * Throws RangeError when a setting is unknown or out of range.
 */
export function createStandin(options: StandinOptions = {}): Standin {
  const initial = changeBehaviour(DEFAULT_BEHAVIOUR, options.behaviour ?? {});
  const state = { behaviour: initial, requests: 0 };
  const counter = new Counter();
  const cache = new PromptCache();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path.startsWith('/standin/')) return administer(path, request, response);
    state.requests += 1;
    const requestId = `req_${sha256(`${state.behaviour.seed}/${state.requests}`).slice(0, 24)}`;
    announce(response, requestId, state.requests);
    const objection = callerObjection(request, options.apiKey);
    if (objection) return sendFault(response, objection, requestId);
    await serve(path, request, response, requestId);
  };

  const serve = async (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<void> => {
    const endpoint = `${request.method ?? ''} ${path}`;
    if (endpoint === 'POST /v1/messages') {
      return createMessage(request, response, requestId, { behaviour: state.behaviour, counter, cache });
    }
    if (endpoint === 'POST /v1/messages/count_tokens') {
      return countTokens(request, response, requestId, state.behaviour);
    }
    if (endpoint === 'GET /v1/models') return sendJson(response, 200, modelPage());
    const model = /^GET \/v1\/models\/([^/]+)$/.exec(endpoint)?.[1];
    const facts = model === undefined ? undefined : findModel(decodeURIComponent(model));
    if (facts) return sendJson(response, 200, modelInfo(facts));
    sendFault(response, notFound(model === undefined ? 'Not found' : `model: ${model}`), requestId);
  };

  const administer = async (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const endpoint = `${request.method ?? ''} ${path}`;
    if (endpoint === 'GET /standin/stats') return sendJson(response, 200, { ...counter.snapshot() } as never);
    if (endpoint === 'GET /standin/behaviour') return sendJson(response, 200, { ...state.behaviour });
    if (endpoint === 'POST /standin/behaviour') {
      const body = await readBody(request);
      try {
        if (body.kind !== 'json' || !isObject(body.value))
          throw new RangeError('Send a JSON object of settings.');
        state.behaviour = changeBehaviour(state.behaviour, body.value);
        return sendJson(response, 200, { ...state.behaviour });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return sendFault(response, invalidRequest(error.message), 'req_standin');
      }
    }
    if (endpoint === 'POST /standin/reset') {
      state.behaviour = initial;
      counter.reset();
      cache.clear();
      return sendJson(response, 200, { ...state.behaviour });
    }
    sendFault(response, notFound('Not found'), 'req_standin');
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A caller that left mid-way is no fault of ours; anything else must be seen.
      if (response.destroyed || request.destroyed) return;
      process.stderr.write(
        `stand-in: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      if (response.headersSent) response.destroy();
      else sendFault(response, internalError(), 'req_standin');
    });
  });

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address() as AddressInfo;
          resolve(
            `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
          );
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    stats: () => counter.snapshot(),
  };
}

function announce(response: ServerResponse, requestId: string, served: number): void {
  const limit = (name: string, value: number): void => {
    response.setHeader(`anthropic-ratelimit-requests-${name}`, String(value));
  };
  response.setHeader('request-id', requestId);
  limit('limit', NOMINAL_RATE);
  limit('remaining', NOMINAL_RATE - (served % NOMINAL_RATE));
  response.setHeader('anthropic-ratelimit-requests-reset', new Date(Date.now() + 60_000).toISOString());
}

function callerObjection(request: IncomingMessage, apiKey: string | undefined) {
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const key = bearer ?? request.headers['x-api-key'];
  if (typeof key !== 'string' || key === '') {
    return unauthenticated('Send an API key as a bearer token or in x-api-key.');
  }
  if (apiKey !== undefined && key !== apiKey) return unauthenticated('invalid API key');
  return request.headers['anthropic-version'] === undefined
    ? invalidRequest('anthropic-version: header is required')
    : null;
}
