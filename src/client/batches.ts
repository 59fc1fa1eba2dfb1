import { toBase64 } from './base64.js';
import type { Batch, BatchDocument } from './batch-answers.js';
import { checkDocument } from './document-check.js';
import type { Request, Send, World } from './transport.js';
import type { BatchCancelling, BatchDocumentFilter, BatchItem, BatchRequest, CallOptions } from './types.js';

/** Many documents under one budget and one deadline. */
export interface BatchClient {
  /**
   * Hands documents in and returns at once. A list goes in one request, which is sent again when the connection is lost.
   * What comes from an async iterable is sent as it comes, however much that is, and once only: if that fails, submit the
   * same documents again under the same `id`, and it goes on with what has not begun.
   */
  submit(request: BatchRequest, options?: CallOptions): Promise<Batch>;
  /** How it fares. */
  get(id: string, options?: CallOptions): Promise<Batch>;
  /** Asks until nothing of it runs any more; told of each look with `onProgress`. */
  wait(id: string, options?: CallOptions & { readonly onProgress?: (batch: Batch) => void }): Promise<Batch>;
  /** Every document and how it ended, in the order in which they were handed in, as many requests as that takes. */
  documents(id: string, filter?: BatchDocumentFilter, options?: CallOptions): AsyncIterable<BatchDocument>;
  /** Begins no further document. What is under way goes on to its end, or with `runs: 'cancel'` ends after its call. */
  cancel(
    id: string,
    options?: CallOptions & { readonly runs?: 'finish' | 'cancel' },
  ): Promise<BatchCancelling>;
}

/** Between two looks at a batch. */
const lookMs = 2_000;
const atWork: readonly Batch['state'][] = ['collecting', 'running', 'stopping'];

interface Page {
  readonly items: readonly BatchDocument[];
  readonly nextCursor: string | null;
}

export function createBatches(send: Send, world: World): BatchClient {
  const at = (id: string) => `/v1/batches/${encodeURIComponent(id)}`;
  const get: BatchClient['get'] = (id, { signal } = {}) =>
    send<Batch>({ method: 'GET', path: at(id), signal });
  return {
    submit: async (request, { signal } = {}) => {
      const failed: unknown[] = [];
      try {
        return await send<Batch>({ ...submission(request, failed), signal });
      } catch (error) {
        // Whoever makes the documents failed, not the connection.
        throw failed.length > 0 ? failed[0] : error;
      }
    },
    get,
    wait: async (id, { signal, onProgress } = {}) => {
      for (;;) {
        const batch = await get(id, signal === undefined ? {} : { signal });
        onProgress?.(batch);
        if (!atWork.includes(batch.state)) return batch;
        await world.sleep(lookMs, signal);
      }
    },
    documents: async function* (id, filter = {}, { signal } = {}) {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = queryOf({ ...filter, limit: 200, cursor });
        const page: Page = await send({ method: 'GET', path: `${at(id)}/documents?${query}`, signal });
        yield* page.items;
        cursor = page.nextCursor;
      }
    },
    cancel: (id, { signal, runs = 'finish' } = {}) =>
      send({
        ...{ method: 'POST', path: `${at(id)}/cancel`, signal },
        headers: { 'content-type': 'application/json' },
        body: () => JSON.stringify({ runs }),
      }),
  };
}

/** Under an id of its own unless one is given, so that what is sent again is the same batch. `failed` is told what documents failed with. */
function submission(request: BatchRequest, failed: unknown[]): Request {
  const { documents, id = globalThis.crypto.randomUUID(), ...rest } = request;
  const isList = Symbol.iterator in Object(documents);
  if (!isList && !(Symbol.asyncIterator in Object(documents)))
    throw new TypeError('documents must be a list, or an async iterable.');
  if (!(Symbol.asyncIterator in documents)) {
    const body = JSON.stringify({ ...rest, id, documents: Array.from(documents, line) });
    return {
      ...{ method: 'POST', path: '/v1/batches', headers: { 'content-type': 'application/json' } },
      body: () => body,
    };
  }
  const { tags, ...asked } = rest;
  return {
    ...{ method: 'POST', path: `/v1/batches?${queryOf({ ...asked, id, tag: tags })}`, isOnce: true },
    headers: { 'content-type': 'application/x-ndjson' },
    body: () => manifest(documents, failed),
  };
}

function manifest(documents: AsyncIterable<BatchItem>, failed: unknown[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const items = documents[Symbol.asyncIterator]();
  let place = 0;
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const next = await items.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(`${JSON.stringify(line(next.value, place))}\n`));
        place += 1;
      } catch (error) {
        failed.push(error);
        throw error;
      }
    },
    cancel: async () => {
      await items.return?.();
    },
  });
}

/** A document as the API takes it in a batch. */
function line(item: BatchItem, place: number): object {
  const { document, ...rest }: BatchItem = Object(item);
  checkDocument(document, `documents[${place}].document`, ['text', 'bytes', 'sha256']);
  if ('text' in document) return { ...rest, document };
  if ('sha256' in document) return { ...rest, document: { documentHash: document.sha256 } };
  return { ...rest, document: { base64: toBase64(document.bytes), mediaType: document.mediaType } };
}

/** What is undefined is left out; a list is given again and again. */
function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) query.append(name, String(one));
  }
  return query.toString();
}
