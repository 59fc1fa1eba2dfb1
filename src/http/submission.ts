import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Budgets } from '../application/budgets.js';
import { assertSize } from '../application/intake.js';
import { claimedMediaType } from '../application/media-type.js';
import { type IncomingPage, pagesDocument, pagesName } from '../application/page-document.js';
import type { Submission } from '../application/submit-extraction.js';
import type { HttpEnv } from './environment.js';
import { unusableIn } from './json-text.js';
import { HttpProblem } from './problem.js';
import { given } from './routes/answers.js';
import { schemaProblem } from './schema-problem.js';
import { FormSubmission, type JsonSubmission } from './schemas/submission.js';

/** The tenant that is meant when a request names this one, or none. Throws HttpProblem when it may not. */
export type TenantOf = (asked: string | undefined) => string;

/** A submission as JSON: text as it is, bytes in base64. */
export function readJsonSubmission(body: z.output<typeof JsonSubmission>, tenant: TenantOf): Submission {
  return {
    tenant: tenant(body.tenant),
    specId: body.spec,
    document: within(readDocument(body.document)),
    fileName: body.fileName,
    tags: body.tags,
    budgets: budgetsOf(body.budgets),
    redrive: body.redrive,
    webhookUrl: body.webhookUrl ?? null,
  };
}

function within(document: Submission['document']): Submission['document'] {
  assertSize(document);
  return document;
}

function readDocument(document: z.output<typeof JsonSubmission>['document']): Submission['document'] {
  if ('sha256' in document) return { kind: 'stored', hash: document.sha256 };
  if ('text' in document) {
    return { kind: 'bytes', mediaType: 'text/plain', bytes: new TextEncoder().encode(document.text) };
  }
  const bytes = new Uint8Array(Buffer.from(document.base64, 'base64'));
  return { kind: 'bytes', mediaType: document.mediaType, bytes };
}

/** A submission as a form with one file, or with the page images of one document in their order. Throws HttpProblem with a pointer for each field that cannot be used. */
export async function readFormSubmission(c: Context<HttpEnv>, tenant: TenantOf): Promise<Submission> {
  const { document: file, page: pages, ...fields } = await readForm(c);
  const read = FormSubmission.safeParse({
    ...fields,
    ...(fields['tags'] === undefined ? {} : { tags: [fields['tags']].flat() }),
    ...(typeof fields['budgets'] === 'string' ? { budgets: parse(fields['budgets']) } : {}),
  });
  if (!read.success) throw new HttpProblem(schemaProblem('form', read.error.issues));
  const { document, fileName } = await readFiles(file, pages);
  return {
    tenant: tenant(read.data.tenant),
    specId: read.data.spec,
    document: within(document),
    fileName,
    tags: read.data.tags,
    budgets: budgetsOf(read.data.budgets),
    redrive: read.data.redrive === 'true',
    webhookUrl: read.data.webhookUrl ?? null,
  };
}

async function readFiles(file: unknown, pages: unknown): Promise<Pick<Submission, 'document' | 'fileName'>> {
  if (pages === undefined) {
    if (!(file instanceof File))
      throw refused('/document', 'One file is needed here, or the pages of one document as page.');
    const { name, ...rest } = await readFile(file);
    return { document: { kind: 'bytes', ...rest }, fileName: name };
  }
  if (file !== undefined) throw refused('/document', 'Send either one document or its pages.');
  const files = [pages].flat();
  if (!files.every((each) => each instanceof File)) throw refused('/page', 'Every page is a file.');
  const read = await Promise.all(files.map(readFile));
  return { document: pagesDocument(read), fileName: pagesName(read.map(({ name }) => name)) };
}

async function readFile(file: File): Promise<IncomingPage> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, mediaType: claimOf(file), bytes };
}

async function readForm(c: Context<HttpEnv>): Promise<Record<string, unknown>> {
  try {
    return await c.req.parseBody({ all: true });
  } catch {
    throw new HttpProblem({
      slug: 'malformed-body',
      detail: 'The body is not the multipart form that its content type says.',
    });
  }
}

/** What the sender says; many say nothing or "octet-stream" for every file, and then its name does. */
function claimOf(file: File): string {
  const said = (file.type.split(';')[0] ?? '').trim().toLowerCase();
  return said === '' || said === 'application/octet-stream' ? claimedMediaType(file.name) : said;
}

function parse(text: string): unknown {
  const fault = unusableIn(text);
  if (fault !== null) throw refused('/budgets', `It ${fault}`);
  try {
    return JSON.parse(text);
  } catch {
    throw refused('/budgets', 'Budgets in a form are written as JSON.');
  }
}

function refused(pointer: string, detail: string): HttpProblem {
  const errors = [{ pointer, detail }];
  return new HttpProblem({
    slug: 'invalid-request',
    detail: `${pointer}: ${detail}`,
    errors,
  });
}

function budgetsOf(budgets: z.output<typeof JsonSubmission>['budgets']): Budgets {
  return given(budgets);
}
