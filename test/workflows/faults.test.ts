import { readFile } from 'node:fs/promises';
import { Client as PostgresClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { held } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { type Ended, openScene, type Scene } from './scene.js';

const plain = claimSpec('claim-plain');
/** A later version, which the workers here do not have. */
const newer = claimSpec('claim-plain', { schemaVersion: '2', policy: { deadlineMs: 5_000 } });
const withFaultyRule = claimSpec('claim-faulty-rule', {
  constraints: [
    {
      id: 'faulty',
      version: 1,
      says: 'This rule has a bug',
      repairable: true,
      check: () => {
        throw new Error('a bug in a rule');
      },
    },
  ],
});

let scene: Scene;
let database: PostgresClient;
beforeAll(async () => {
  scene = await openScene({ specs: [plain, withFaultyRule] });
  database = new PostgresClient({ connectionString: scene.house.database.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await scene.close();
});

const verdictOf = ({ outcome, extraction }: Ended) => ({
  ending: outcome?.kind === 'unverified' ? outcome.reason : outcome?.kind,
  diagnosis: outcome?.kind === 'unverified' ? outcome.diagnosis : undefined,
  attempts: extraction.attempts,
  calls: extraction.calls,
  route: extraction.route,
});

const parked = (ending: string, diagnosis: unknown = null) => ({
  ending,
  diagnosis,
  attempts: 0,
  calls: 0,
  route: 'dead_letter',
});

describe.concurrent('a document that cannot be read', () => {
  it.each([
    { name: 'is empty', file: 'claim-empty.txt', mediaType: 'text/plain', fault: 'empty' },
    { name: 'is encrypted', file: 'claim-encrypted.pdf', mediaType: 'application/pdf', fault: 'encrypted' },
    { name: 'is cut off', file: 'claim-cut-off.pdf', mediaType: 'application/pdf', fault: 'corrupt' },
  ])('because it $name, is an outcome without a call', async ({ file, mediaType, fault }) => {
    const bytes = await readFile(`samples/files/${file}`);
    const { extraction, outcome } = await scene.house.extract({
      specId: plain.id,
      document: { kind: 'bytes', mediaType, bytes },
    });
    expect(verdictOf({ extraction, outcome, humanRecord: null, calls: [] })).toEqual(
      parked('unreadable_document', { kind: 'unreadable', fault }),
    );
  });

  it('because it is over the limit, is an outcome without a call, and is not stored', async () => {
    const ended = await scene.run({
      spec: plain,
      text: '',
      submission: { document: { kind: 'too_large', sha256: 'ab'.repeat(32), size: 30 * 1024 * 1024 } },
    });
    expect(verdictOf(ended)).toEqual(
      parked('unreadable_document', { kind: 'unreadable', fault: 'too_large' }),
    );
    const stored = await scene.house.app.store.documents.load('test', ended.extraction.documentHash);
    expect(stored?.bytes.byteLength).toBeLessThan(200);
  });

  it('because it was erased before its first attempt, is an outcome without a call', async () => {
    const text = claimText({});
    const { row, input } = await scene.prepare({ spec: plain, text });
    await erase(row.documentHash);
    await scene.house.app.engine.start(input);
    expect(verdictOf(await scene.ended(row))).toEqual(
      parked('unreadable_document', { kind: 'unreadable', fault: 'missing' }),
    );
    expect(scene.models.calls(text)).toEqual([]);
  });

  it('because it was erased between two attempts, is not sent again', async () => {
    const text = claimText({});
    const first = held({ behaviour: { misread: 1 } });
    const extraction = await scene.submit({ spec: plain, text, turns: [first.turn] });
    await scene.models.arrived(text, 1);
    await erase(extraction.documentHash);
    first.release();
    expect(verdictOf(await scene.ended(extraction))).toMatchObject({
      ending: 'unreadable_document',
      diagnosis: { kind: 'unreadable', fault: 'missing' },
      attempts: 1,
      calls: 1,
    });
  });

  const erase = async (hash: string) => await database.query('delete from documents where hash = $1', [hash]);
});

describe.concurrent('what says nothing about a document', () => {
  it('is parked when no worker has the spec version', async () => {
    const text = claimText({});
    const app = { ...scene.house.app, catalogue: createCatalogue([newer, plain]) };
    const ended = await scene.run({ spec: newer, text, app });
    expect(verdictOf(ended)).toEqual(parked('spec_unavailable'));
    expect(scene.models.calls(text)).toEqual([]);
  });

  it('is parked when the money of its batch is gone', async () => {
    const text = claimText({});
    const { row, input } = await scene.prepare({ spec: plain, text });
    await scene.house.app.engine.start({ ...input, batchBudgetGone: true });
    expect(verdictOf(await scene.ended(row))).toEqual(parked('batch_budget'));
    expect(await scene.events(row)).not.toContain('timerStarted');
    expect(scene.models.calls(text)).toEqual([]);
  });

  it('is parked when a rule has a bug, and the model is not told that its answer was bad', async () => {
    const text = claimText({});
    const ended = await scene.run({ spec: withFaultyRule, text });
    expect(verdictOf(ended)).toMatchObject({ ending: 'verifier_fault', attempts: 1, route: 'dead_letter' });
    expect(scene.models.calls(text)).toHaveLength(1);
  });

  it('is parked when the workflow itself throws, instead of hanging', async () => {
    const { row, input } = await scene.prepare({ spec: plain, text: claimText({}) });
    // What a policy frozen by another version of this program may look like.
    await scene.house.app.engine.start({ ...input, policy: { ...input.policy, tokenCeilings: [] } });
    expect(verdictOf(await scene.ended(row))).toEqual(parked('internal_error'));
    const { status } = await scene.client.workflow.getHandle(workflowIds.extraction(row.key)).describe();
    expect(status.name).toBe('COMPLETED');
  });
});
