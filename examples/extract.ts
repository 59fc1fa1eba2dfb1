/**
 * Extracts one document over HTTP:
 * npx tsx examples/extract.ts FILE SPEC
 *
 * Ctrl-C (or a crash) loses nothing: run again, it goes on with the extraction that FILE.extraction names, as long as file
 * and spec are the same and the API knows it.
 * ENDSTOP_URL and ENDSTOP_API_KEY say where the API is. Exit codes: 0 verified, 3 unverified, 1 fault, 130 interrupted.
 */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { ApiError, createClient, type Ended, type Outcome, UnreachableError } from 'endstop/client';

const mediaTypes: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};

const [file, spec] = process.argv.slice(2);
if (file === undefined || spec === undefined) {
  process.stderr.write('Name a document and a spec: npx tsx examples/extract.ts FILE SPEC\n');
  process.exit(2);
}

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());
const { signal } = interruption;

const apiKey = process.env['ENDSTOP_API_KEY'];
const endstop = createClient({
  baseUrl: process.env['ENDSTOP_URL'] ?? 'http://localhost:4680',
  ...(apiKey === undefined ? {} : { apiKey }),
});

try {
  const { outcome } = await extracted(file, spec);
  await rm(noteOf(file), { force: true });
  process.exitCode = report(outcome);
} catch (error) {
  process.exitCode = signal.aborted ? 130 : 1;
  process.stderr.write(`${signal.aborted ? 'Interrupted; run again to go on.' : explain(error)}\n`);
}

/** The extraction that is under way for this file and spec, or a new one. Its id is kept before anything is waited for. */
async function extracted(path: string, specId: string): Promise<Ended> {
  const bytes = new Uint8Array(await readFile(path));
  const about = `${specId} ${createHash('sha256').update(bytes).digest('hex')}`;
  const known = await notedId(path, about);
  if (known !== null) {
    try {
      return await endstop.wait(known, { signal });
    } catch (error) {
      // Erased, or of another server: the note leads nowhere.
      if (!(error instanceof ApiError) || ![404, 410].includes(error.status)) throw error;
      await rm(noteOf(path), { force: true });
    }
  }
  const document = {
    bytes,
    mediaType: mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream',
  };
  // Killed between these two lines, nothing is done twice either: the same bytes are the same extraction.
  const { id, state } = await endstop.submit({ spec: specId, document, fileName: path }, { signal });
  await writeFile(noteOf(path), `${id} ${about}\n`);
  process.stderr.write(`${id} ${state === 'ended' ? 'had ended before' : 'is under way'}.\n`);
  return await endstop.wait(id, { signal });
}

/** What was noted about another spec, or about what the file held before, is not meant. */
async function notedId(path: string, about: string): Promise<string | null> {
  const note = await readFile(noteOf(path), 'utf8').catch(() => '');
  const [id = '', ...rest] = note.trim().split(' ');
  return rest.join(' ') === about ? id : null;
}

function noteOf(path: string): string {
  return `${path}.extraction`;
}

/** Both branches of the union: only a verified record is data. */
function report(outcome: Outcome<unknown>): number {
  switch (outcome.kind) {
    case 'verified':
      process.stdout.write(`${JSON.stringify(outcome.record)}\n`);
      return 0;
    case 'unverified':
      process.stderr.write(`Unverified (${outcome.reason}); it went to ${outcome.route ?? 'nobody'}.\n`);
      for (const { rule, pointer, message } of outcome.unmet)
        process.stderr.write(`  ${rule} at ${pointer}: ${message}\n`);
      return 3;
  }
}

function explain(error: unknown): string {
  if (error instanceof ApiError) return `${error.problem.title}: ${error.message}`;
  if (error instanceof UnreachableError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
