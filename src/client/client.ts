import { type BatchClient, createBatches } from './batches.js';
import { checkDocument } from './document-check.js';
import { createTransport, type Request, realWorld, type World } from './transport.js';
import type {
  AttemptList,
  BytesDocument,
  CallOptions,
  Cancelling,
  Ended,
  Extraction,
  ExtractRequest,
  Submitted,
} from './types.js';

export interface ClientOptions {
  /** For example `http://localhost:8080`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
}

export interface Client {
  /** Submits a document and returns at once. The same document under the same spec versions is the same extraction. */
  submit<Rec = unknown>(request: ExtractRequest, options?: CallOptions): Promise<Submitted<Rec>>;
  /**
   * Submits a document and waits until its extraction has ended, over as many requests as that takes; lost connections
   * are taken up again. An exhausted one is a result: `outcome.kind` is `unverified`.
   */
  extract<Rec = unknown>(request: ExtractRequest, options?: CallOptions): Promise<Ended<Rec>>;
  /** Waits until an extraction has ended: goes on where an earlier `extract` was interrupted. */
  wait<Rec = unknown>(id: string, options?: CallOptions): Promise<Ended<Rec>>;
  get<Rec = unknown>(id: string, options?: CallOptions): Promise<Extraction<Rec>>;
  attempts(id: string, options?: CallOptions): Promise<AttemptList>;
  cancel(id: string, options?: CallOptions): Promise<Cancelling>;
  readonly batches: BatchClient;
}

/** Seconds the server is asked to hold each answer: shorter than what proxies commonly cut. */
const waitSeconds = 20;
/** Between two answers that came at once although they should have been held. */
const pauseMs = 1_000;

/**
 * A client of the HTTP API. Throws TypeError for a base URL that is none. Every method throws TypeError for a document
 * that is none, ApiError when the API refuses or answers from another address (redirects are not followed), and UnreachableError when it could not be reached: after several tries, or
 * at once when nothing has ever answered there.
 */
export function createClient(options: ClientOptions, world: World = realWorld): Client {
  const send = createTransport(options.baseUrl, options.apiKey, world);
  const at = (id: string) => `/v1/extractions/${encodeURIComponent(id)}`;

  const wait: Client['wait'] = async <Rec>(id: string, { signal }: CallOptions = {}) => {
    for (;;) {
      const extraction = await send<Extraction<Rec>>({ method: 'GET', path: at(id), waitSeconds, signal });
      if (extraction.state === 'ended') return extraction;
      await world.sleep(pauseMs, signal);
    }
  };

  return {
    submit: async (request, { signal } = {}) => send({ ...submission(request), signal }),
    extract: async <Rec>(request: ExtractRequest, { signal }: CallOptions = {}) => {
      const first = await send<Submitted<Rec>>({ ...submission(request), waitSeconds, signal });
      if (first.state === 'ended') return first;
      return wait<Rec>(first.id, signal === undefined ? {} : { signal });
    },
    wait,
    get: (id, { signal } = {}) => send({ method: 'GET', path: at(id), signal }),
    attempts: (id, { signal } = {}) => send({ method: 'GET', path: `${at(id)}/attempts`, signal }),
    cancel: (id, { signal } = {}) => send({ method: 'POST', path: `${at(id)}/cancel`, signal }),
    batches: createBatches(send, world),
  };
}

/** Text and hashes go as JSON, bytes as a form: a form needs no encoding that makes them a third larger. */
function submission(request: ExtractRequest): Request {
  const { document, idempotencyKey = globalThis.crypto.randomUUID(), ...rest } = request;
  checkDocument(document);
  const key = { 'idempotency-key': idempotencyKey };
  if ('text' in document || 'sha256' in document) {
    return {
      method: 'POST',
      path: '/v1/extractions',
      headers: { ...key, 'content-type': 'application/json' },
      body: () => JSON.stringify({ ...rest, document }),
    };
  }
  return {
    method: 'POST',
    path: '/v1/extractions',
    headers: key,
    body: () => {
      const form = new FormData();
      // Under their own names, as in JSON: the API refuses what it does not know.
      const { tags = [], budgets, fileName, ...texts } = rest;
      for (const [name, value] of Object.entries(texts))
        if (value !== undefined) form.set(name, String(value));
      for (const tag of tags) form.append('tags', tag);
      if (budgets !== undefined) form.set('budgets', JSON.stringify(budgets));
      const blob = ({ bytes, mediaType }: BytesDocument) => new Blob([bytes], { type: mediaType });
      if ('pages' in document) {
        for (const page of document.pages) form.append('page', blob(page), page.name ?? fileName ?? 'page');
      } else {
        form.set('document', blob(document), fileName ?? 'document');
      }
      return form;
    },
  };
}
