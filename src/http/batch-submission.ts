import { Buffer } from 'node:buffer';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ApplicationError } from '../application/application-error.js';
import type { BatchItem } from '../application/batches.js';
import type { BatchSubmission } from '../application/hand-in-batch.js';
import { assertSize } from '../application/intake.js';
import type { HttpEnv } from './environment.js';
import { GrowingBytes } from './growing-bytes.js';
import { unusableIn } from './json-text.js';
import { given } from './routes/answers.js';
import { schemaProblem } from './schema-problem.js';
import {
  type BatchManifestQuery,
  BatchItem as ItemSchema,
  type BatchRequest as RequestSchema,
} from './schemas/batch.js';
import type { TenantOf } from './submission.js';

/** What a batch is asked with when its body is a manifest. */
export const isManifest = (contentType: string | undefined): boolean =>
  /^application\/(x-ndjson|jsonl|x-jsonlines)\b/i.test(contentType ?? '');

/** How long a request may take to arrive: the largest document, 20 MiB, over a slow line at 350 kbit/s. */
export const requestTimeoutMs = 600_000;

/** Documents, and characters of a manifest, that are held at once. */
const mostAtOnce = 25;
const mostCharactersAtOnce = 32 * 1024 * 1024;
const mostBytesALine = 32 * 1024 * 1024;
const lineEnd = 0x0a;

export function readJsonBatch(
  body: z.output<typeof RequestSchema>,
  tenant: TenantOf,
  inFlight: number,
): BatchSubmission {
  const { documents, spec, tenant: asked, id = null, tokens, budgets, inFlight: wanted, ...rest } = body;
  return {
    request: {
      ...{ ...rest, id, specId: spec, budgetTokens: tokens },
      tenant: tenant(asked),
      budgets: given(budgets),
      inFlight: wanted ?? inFlight,
    },
    arrivesWithinMs: 0,
    pieces: async function* () {
      for (let at = 0; at < documents.length; at += mostAtOnce) {
        yield documents.slice(at, at + mostAtOnce).map((item, index) => itemOf(item, at + index));
      }
    },
  };
}

/** A manifest: one document a line, read as it arrives. Throws ApplicationError `invalid_request` that names the line. */
export function readManifestBatch(
  c: Context<HttpEnv>,
  query: z.output<typeof BatchManifestQuery>,
  tenant: TenantOf,
  inFlight: number,
): BatchSubmission {
  const { spec, tag, redrive } = query;
  if (spec === undefined || spec === '') throw invalid('A manifest needs ?spec= in the query.', '/spec');
  return {
    request: {
      ...{ specId: spec, id: query.id ?? null, name: query.name ?? null, redrive: redrive === 'true' },
      ...{ budgetTokens: query.tokens ?? null, deadlineMs: query.deadlineMs ?? null, budgets: {} },
      ...{ patienceMs: query.patienceMs ?? null, inFlight: query.inFlight ?? inFlight },
      tags: tag === undefined ? [] : [tag].flat(),
      tenant: tenant(query.tenant),
    },
    arrivesWithinMs: requestTimeoutMs,
    pieces: async function* () {
      let piece: BatchItem[] = [];
      let characters = 0;
      let number = 0;
      for await (const line of linesOf(c.req.raw.body)) {
        if (line.trim() !== '') piece.push(readLine(line, number));
        number += 1;
        characters += line.length;
        if (piece.length < mostAtOnce && characters < mostCharactersAtOnce) continue;
        yield piece;
        piece = [];
        characters = 0;
      }
      if (piece.length > 0) yield piece;
    },
  };
}

async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (body === null) return;
  const line = new GrowingBytes();
  for await (const bytes of body) {
    let from = 0;
    // No other character of UTF-8 has this byte in it.
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, from)) {
      line.add(bytes.subarray(from, end));
      yield decoded(line);
      from = end + 1;
    }
    line.add(bytes.subarray(from));
    if (line.length > mostBytesALine) throw invalid('A line of a manifest holds at most 32 MiB.', '');
  }
  if (line.length > 0) yield decoded(line);
}

function decoded(line: GrowingBytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line.take());
  } catch {
    throw invalid('The manifest is not text in UTF-8.', '');
  }
}

function readLine(line: string, index: number): BatchItem {
  const refused = (detail: string) => invalid(`Line ${index + 1} ${detail}`, `/documents/${index}`);
  const unusable = unusableIn(line);
  if (unusable !== null) throw refused(unusable);
  const read = ItemSchema.safeParse(parse(line, () => refused('is not valid JSON.')));
  if (read.success) return itemOf(read.data, index);
  const { detail, errors = [] } = schemaProblem('json', read.error.issues);
  const faults = errors.map((fault) => ({ ...fault, pointer: `/documents/${index}${fault.pointer}` }));
  throw new ApplicationError('invalid_request', `Line ${index + 1}: ${detail}`, faults);
}

function itemOf({ document, fileName, tags }: z.output<typeof ItemSchema>, index: number): BatchItem {
  const read = documentOf(document);
  assertSize(read, `Document ${index}`, `/documents/${index}/document`);
  return { item: `${index}`, fileName, tags, document: read };
}

function documentOf(document: z.output<typeof ItemSchema>['document']): BatchItem['document'] {
  if ('documentHash' in document) return { kind: 'stored', hash: document.documentHash };
  if ('text' in document) {
    return { kind: 'bytes', mediaType: 'text/plain', bytes: new TextEncoder().encode(document.text) };
  }
  return {
    kind: 'bytes',
    mediaType: document.mediaType,
    bytes: new Uint8Array(Buffer.from(document.base64, 'base64')),
  };
}

function parse(line: string, refused: () => Error): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw refused();
  }
}

function invalid(message: string, pointer: string): ApplicationError {
  return new ApplicationError('invalid_request', message, [{ pointer, detail: message }]);
}
