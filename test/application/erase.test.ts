import { describe, expect, it } from 'vitest';
import { eraseDocument, findHoldings } from '../../src/application/erase.js';
import { readOutcome } from '../../src/application/read-outcome.js';
import { redriveByKey } from '../../src/application/redrive.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { tenantView } from '../../src/application/tenant-view.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import { type Bench, createBench, exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';

async function submitted(prepare: (bench: Bench) => void = verifyAll) {
  const bench = createBench();
  prepare(bench);
  const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
  const row = async () => (await bench.store.extractions.find(extraction.key)) as Extraction;
  const { tenant, documentHash, key, subject } = extraction;
  return { bench, key, subject, row, name: { tenant, documentHash } };
}

describe('what is kept of a document', () => {
  it('is found by its hash, or by the beginning of an extraction of it', async () => {
    const { bench, key, name } = await submitted();
    const found = { ...name, extractions: 1, running: 0, records: 1, openReviews: 0, erasedAt: null };
    for (const document of [name.documentHash, name.documentHash.toUpperCase(), key, key.slice(0, 8)])
      expect(await findHoldings(bench.app, { tenant: 'acme', document })).toMatchObject([found]);
  });

  it('is not found by another tenant, in the words in which nothing is', async () => {
    const { bench, key, name } = await submitted();
    const refusal = async (tenant: string, document: string) => {
      const error = await findHoldings(bench.app, { tenant, document }).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: 'not_found' });
      return (error as Error).message.replace(document, 'NAME');
    };
    const nothing = await refusal('bolt', '0'.repeat(64));
    for (const document of [name.documentHash, key, key.slice(0, 12)])
      expect(await refusal('bolt', document)).toBe(nothing);
    // The beginning of a hash names nothing, whoever asks.
    await refusal('acme', name.documentHash.slice(0, 12));
    await expect(findHoldings(bench.app, { tenant: 'acme', document: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(eraseDocument(bench.app, { ...name, tenant: 'bolt' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(bench.store.recordRows).toHaveLength(1);
  });
});

describe('an erasure', () => {
  it('leaves what others hold of the same bytes, and tells who they are unless only one tenant may be seen', async () => {
    const { bench, name } = await submitted();
    await submitExtraction(bench.app, textSubmission('a', { tenant: 'bolt' }));
    await submitExtraction(bench.app, textSubmission('a', { tenant: 'eval-1', isEvaluation: true }));
    await submitExtraction(bench.app, textSubmission('b', { tenant: 'cobalt' }));
    const ofOne = tenantView(bench.app, 'acme');
    expect(await eraseDocument(ofOne, name)).toMatchObject({ extractions: 1, alsoHeldBy: [] });
    expect(await eraseDocument(bench.app, name)).toMatchObject({ alsoHeldBy: ['bolt', 'eval-1'] });
    expect(await findHoldings(bench.app, { tenant: null, document: name.documentHash })).toMatchObject([
      { tenant: 'bolt', extractions: 1 },
      { tenant: 'eval-1', extractions: 1 },
    ]);
    await expect(findHoldings(ofOne, { tenant: null, document: name.documentHash })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is told in counts, and again in the same words with nothing left', async () => {
    const { bench, name, row } = await submitted();
    const erased = await eraseDocument(bench.app, name);
    expect(erased).toEqual({
      ...name,
      ...{ bytes: true, extractions: 1, records: 1, reviews: 0, erasedAt: (await row()).erasedAt },
      alsoHeldBy: [],
    });
    bench.pass(5_000);
    expect(await eraseDocument(bench.app, name)).toEqual({
      ...{ ...erased, bytes: false, extractions: 0, records: 0 },
    });
  });

  it('makes its extractions gone, saying how they had ended', async () => {
    const { bench, key, name, row } = await submitted();
    await eraseDocument(bench.app, name);
    await expect(readOutcome(bench.store, await row())).rejects.toMatchObject({
      code: 'gone',
      message: expect.stringMatching(
        `^Extraction ${key.slice(0, 12)} ended verified; it was erased on 2026-03-01T12:.*Z, and only its counts are left\\.$`,
      ),
    });
    const exhausted = await submitted((bench) => exhaustAll(bench, 'dead_letter'));
    await eraseDocument(exhausted.bench.app, exhausted.name);
    await expect(readOutcome(exhausted.bench.store, await exhausted.row())).rejects.toThrow(
      'ended unverified (no_progress); it was erased on',
    );
    await expect(redriveByKey(exhausted.bench.app, exhausted.key, null)).rejects.toMatchObject({
      code: 'gone',
      message: expect.stringContaining('hand it in again'),
    });
  });

  it('of a run that ended because of it leaves an outcome', async () => {
    const { bench, key, name } = await submitted(() => undefined);
    expect(await eraseDocument(bench.app, name)).toMatchObject({ extractions: 1 });
    const diagnosis = { kind: 'unreadable', fault: 'missing' } as const;
    const row = bench.store.end(key, { outcome: 'unverified', reason: 'unreadable_document', diagnosis });
    expect((await readOutcome(bench.store, row)).outcome).toMatchObject({
      ...{ kind: 'unverified', reason: 'unreadable_document', diagnosis, bestEffort: null },
    });
  });

  it('keeps showing a verified record that outlived its document', async () => {
    const { bench, row } = await submitted();
    const erased = { ...(await row()), erasedAt: 5 };
    expect((await readOutcome(bench.store, erased)).outcome).toMatchObject({ kind: 'verified' });
  });

  it('ends the review that a person was asked for', async () => {
    const { bench, name, subject } = await submitted((bench) => exhaustAll(bench, 'human_review'));
    expect(await eraseDocument(bench.app, name)).toMatchObject({ reviews: 1 });
    expect(bench.engine.withdrawn).toEqual([subject]);
    expect(bench.store.reviews.tasks.get(subject)?.state).toBe('withdrawn');
  });

  it('says when a review could not be told, and tells it when it is repeated', async () => {
    const { bench, name, subject } = await submitted((bench) => exhaustAll(bench, 'human_review'));
    bench.engine.down = true;
    await expect(eraseDocument(bench.app, name)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('erase it again'),
    });
    expect(bench.store.documentRows.size).toBe(0);
    bench.engine.down = false;
    expect(await eraseDocument(bench.app, name)).toMatchObject({ bytes: false, reviews: 0 });
    expect(bench.engine.withdrawn).toEqual([subject]);
  });

  it('lets the document be handed in again as if it were new', async () => {
    const { bench, name } = await submitted();
    await eraseDocument(bench.app, name);
    const again = await submitExtraction(bench.app, textSubmission('a'));
    expect(again).toMatchObject({ kind: 'started', extraction: { run: 2, erasedAt: null } });
  });
});
