import { describe, expect, it } from 'vitest';
import { readOutcome } from '../../src/application/read-outcome.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import type { Attempt } from '../../src/ports/attempt-store.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import {
  createBench,
  rejectedAttempt,
  storedRecord,
  sumProblem,
  textSubmission,
} from '../support/fakes/bench.js';
import { runId } from '../support/fakes/memory-store.js';
import { badReceipt, goodReceipt } from '../support/fakes/receipt-spec.js';

/** An extraction that ended as given, with these attempts. */
async function ended(ending: Partial<Extraction>, attempts: readonly Attempt[] = []) {
  const bench = createBench();
  const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
  const row = bench.store.end(extraction.key, ending);
  bench.store.attemptRows.set(runId(row.key, row.run), [...attempts]);
  return { store: bench.store, row };
}

const unverified = (changes: Partial<Extraction> = {}): Partial<Extraction> => ({
  outcome: 'unverified',
  reason: 'attempt_cap',
  failureClass: 'constraint',
  route: 'dead_letter',
  attempts: 2,
  tokens: 1800,
  ...changes,
});

const withClass = (
  attempt: number,
  failureClass: 'schema' | 'parse' | 'truncated',
  candidate: Attempt['candidate'],
) => {
  const whole = rejectedAttempt(attempt, { candidate });
  return {
    ...whole,
    report: { ...whole.report, result: { ...whole.report.result, failureClass } },
  } as Attempt;
};

describe('given a run that is under way', () => {
  it('then it has no outcome yet', async () => {
    const bench = createBench();
    const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
    expect(await readOutcome(bench.store, extraction)).toEqual({
      extraction,
      outcome: null,
      humanRecord: null,
    });
  });
});

describe('given a verified run', () => {
  it('then the outcome is its record with what it took', async () => {
    const { store, row } = await ended({ outcome: 'verified', attempts: 2, tokens: 1800 });
    const normalisations = [{ kind: 'trailing_comma', count: 1 }];
    store.recordRows.push({ ...storedRecord(row, 'verified', goodReceipt), normalisations });
    expect((await readOutcome(store, row)).outcome).toEqual({
      kind: 'verified',
      record: goodReceipt,
      attempts: 2,
      verifierVersion: 'receipt@1',
      normalisations,
      tokens: 1800,
    });
  });

  it('when its record is no longer kept, then it says so instead of inventing one', async () => {
    const { store, row } = await ended({ outcome: 'verified' });
    await expect(readOutcome(store, row)).rejects.toMatchObject({ code: 'gone' });
  });
});

describe('given an unverified run', () => {
  it('then the best candidate comes with its own unmet rules, not those of the last reply', async () => {
    const { store, row } = await ended(unverified(), [rejectedAttempt(1), withClass(2, 'parse', null)]);
    expect((await readOutcome(store, row)).outcome).toMatchObject({
      kind: 'unverified',
      bestEffort: badReceipt,
      unmet: [sumProblem],
      reason: 'attempt_cap',
      failureClass: 'constraint',
      route: 'dead_letter',
      attempts: 2,
      tokens: 1800,
      fallback: null,
    });
  });

  it('when a later candidate only met less of the schema, then the one that met the schema is better', async () => {
    const { store, row } = await ended(unverified(), [
      rejectedAttempt(1),
      withClass(2, 'schema', { total: 'x' }),
    ]);
    expect((await readOutcome(store, row)).outcome).toMatchObject({ bestEffort: badReceipt });
  });

  it('when the only candidate came from a truncated reply, then there is none, and the last problems are shown', async () => {
    const { store, row } = await ended(unverified(), [withClass(1, 'truncated', { total: '1' })]);
    expect((await readOutcome(store, row)).outcome).toMatchObject({ bestEffort: null, unmet: [sumProblem] });
  });

  it('when no reply was ever read, then there is neither', async () => {
    const { store, row } = await ended(
      unverified({ reason: 'provider_unavailable', failureClass: null, attempts: 0 }),
    );
    expect((await readOutcome(store, row)).outcome).toMatchObject({
      bestEffort: null,
      unmet: [],
      failureClass: null,
    });
  });

  it('when two rules contradict each other, then the diagnosis carries the values that prove it', async () => {
    const pair = { rules: ['decimals', 'sum'] as const, pointer: '/total' };
    const proof = { ...pair, values: ['1204.38', '1204.375'] as const, explanation: 'No value fits both.' };
    const other = { ...proof, pointer: '/lines/0/amount', explanation: 'Another pair.' };
    const { store, row } = await ended(
      unverified({ reason: 'contradiction', diagnosis: { kind: 'contradiction', ...pair } }),
      [rejectedAttempt(1, { contradiction: proof }), rejectedAttempt(2, { contradiction: other })],
    );
    expect((await readOutcome(store, row)).outcome).toMatchObject({
      diagnosis: { kind: 'contradiction', ...proof },
    });
  });

  it('when the document could not be read, then the diagnosis says why', async () => {
    const diagnosis = { kind: 'unreadable', fault: 'encrypted' } as const;
    const { store, row } = await ended(unverified({ reason: 'unreadable_document', diagnosis, attempts: 0 }));
    expect((await readOutcome(store, row)).outcome).toMatchObject({ diagnosis });
  });

  it('when a template found fields, then they stand beside the outcome and not in it', async () => {
    const { store, row } = await ended(unverified({ route: 'fallback' }));
    store.recordRows.push(storedRecord(row, 'fallback', { total: '4.50' }));
    expect((await readOutcome(store, row)).outcome).toMatchObject({
      bestEffort: null,
      fallback: { fields: { total: '4.50' }, template: 'till-roll' },
    });
  });

  it('when a person made a record later, then it is linked and the outcome stays', async () => {
    const { store, row } = await ended(unverified({ route: 'human_review' }));
    store.recordRows.push(storedRecord(row, 'human_verified', goodReceipt));
    const reading = await readOutcome(store, row);
    expect(reading.outcome?.kind).toBe('unverified');
    expect(reading.humanRecord?.record).toEqual(goodReceipt);
  });

  it('when a person rejected it later, then that is linked, until a later run of it verifies', async () => {
    const { store, row } = await ended(unverified({ route: 'human_review' }));
    store.recordRows.push(storedRecord(row, 'rejected', null));
    const rejected = await readOutcome(store, row);
    expect(rejected.outcome?.kind).toBe('unverified');
    expect(rejected.humanRecord).toMatchObject({ status: 'rejected', record: null });
    store.recordRows.push(storedRecord({ ...row, key: 'another' }, 'verified', goodReceipt));
    expect((await readOutcome(store, row)).humanRecord?.status).toBe('rejected');
    store.recordRows.push(storedRecord({ ...row, run: 2 }, 'verified', goodReceipt));
    expect((await readOutcome(store, row)).humanRecord).toBeNull();
  });
});
