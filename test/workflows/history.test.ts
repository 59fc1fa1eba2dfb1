import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataConverter } from '../../src/adapters/temporal/data-converter.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import { historyText, textsOf } from '../support/decoded-history.js';
import { type House, openHouse } from '../support/house.js';
import { claimText } from '../support/papers.js';

let house: House;
let client: Client;

beforeAll(async () => {
  house = await openHouse({ activityFault: () => fault });
  const connection = await Connection.connect({ address: house.temporal.address });
  client = new Client({ connection, dataConverter });
});
afterAll(async () => {
  await client.connection.close();
  await house.close();
});

/** Set by a test: thrown by the attempt activity instead of doing its work. */
let fault: Error | null = null;

const document = (text: string) => ({
  kind: 'bytes' as const,
  mediaType: 'text/plain',
  bytes: Buffer.from(text),
});

/** The child that each route starts; a route without one goes nowhere by itself. */
const childOf: Readonly<Record<string, (run: Extraction) => string>> = {
  fallback: ({ key, run }) => workflowIds.fallback(key, run),
  best_effort: ({ key, run }) => workflowIds.bestEffort(key, run),
  human_review: ({ subject }) => workflowIds.humanReview(subject),
};

/** Every text of the run's workflow and of the child its route started, which must be there. */
async function textsOfRun(run: Extraction): Promise<readonly string[]> {
  const child = run.route === null ? undefined : childOf[run.route];
  const ids = [workflowIds.extraction(run.key), ...(child === undefined ? [] : [child(run)])];
  const texts: string[] = [];
  for (const id of ids) {
    texts.push(...textsOf(await historyText(client, id)));
    const { memo, staticSummary, staticDetails } = await client.workflow.getHandle(id).describe();
    texts.push(JSON.stringify(memo ?? {}), String(await staticSummary()), String(await staticDetails()));
  }
  return texts;
}

/** Words that records share with the product itself. */
const ownWords = new Set(['not_printed', 'blank', 'invoice', 'credit_note']);

/** Everything a model or a template read from the document, as read and as printed; short values could be anything. */
async function valuesOf(run: Extraction): Promise<readonly string[]> {
  const attempts = await house.app.store.attempts.list(run.key, run.run);
  const records = await house.app.store.records.ofKey(run.key);
  const leaves = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
  };
  const printed = attempts.flatMap(({ evidence }) => evidence.map((found) => found.printed));
  const found = attempts.flatMap(({ problems }) =>
    problems.flatMap(({ expected, found }) => [expected, found]),
  );
  const all = [
    ...attempts.map(({ candidate }) => candidate),
    ...records.map(({ record }) => record),
    printed,
    found,
  ];
  return [...new Set(leaves(all))].filter((value) => value.length >= 5 && !ownWords.has(value));
}

describe('the history of a run', () => {
  it('of a clean document holds one activity and at most twelve events', async () => {
    const { extraction, outcome } = await house.extract({
      specId: 'claim',
      document: document(claimText({})),
    });
    expect(outcome?.kind).toBe('verified');
    const history = await client.workflow.getHandle(workflowIds.extraction(extraction.key)).fetchHistory();
    const events = history.events ?? [];
    expect(events.filter((event) => event.activityTaskScheduledEventAttributes)).toHaveLength(1);
    expect(events.filter((event) => event.timerStartedEventAttributes)).toEqual([]);
    expect(events.filter((event) => event.markerRecordedEventAttributes)).toEqual([]);
    expect(events.length).toBeLessThanOrEqual(12);
  });

  it.each([
    { lands: 'as verified', specId: 'claim', file: 'claim-harbour-eur.txt', route: null, fewest: 8 },
    {
      lands: 'as verified after repairs',
      specId: 'invoice',
      file: 'invoice-carried-forward.pdf',
      route: null,
      fewest: 20,
    },
    {
      lands: 'with a person',
      specId: 'claim-two-decimals',
      file: 'claim-bhd-two-decimals.pdf',
      route: 'human_review',
      fewest: 8,
    },
    {
      lands: 'with its template',
      specId: 'claim',
      file: 'claim-harbour-too-long.txt',
      route: 'fallback',
      fewest: 3,
    },
    {
      lands: 'as best effort',
      specId: 'invoice',
      file: 'invoice-three-faults.txt',
      route: 'best_effort',
      fewest: 10,
    },
  ])('of a document that lands $lands holds nothing of it, decoded to the last payload', async (paper) => {
    const mediaType = paper.file.endsWith('.pdf') ? 'application/pdf' : 'text/plain';
    const bytes = await readFile(`samples/files/${paper.file}`);
    const { extraction } = await house.extract({
      specId: paper.specId,
      document: { kind: 'bytes', mediaType, bytes },
      fileName: 'Zq-secret-name.pdf',
    });
    expect(extraction.route).toBe(paper.route);
    const texts = await textsOfRun(extraction);
    expect(texts.length).toBeGreaterThan(50);
    const values = await valuesOf(extraction);
    expect(values.length).toBeGreaterThanOrEqual(paper.fewest);
    const leaked = [...values, 'Zq-secret-name'].filter((value) =>
      texts.some((text) => text.includes(value)),
    );
    expect(leaked).toEqual([]);
  });

  it('holds nothing of the document when an unexpected error quotes it', async () => {
    const marker = `Zq${randomUUID().replaceAll('-', '')}`;
    fault = new Error(`cannot read "${marker}"`);
    const { extraction, outcome } = await house.extract({
      specId: 'claim',
      document: document(claimText({ claimant: marker })),
    });
    fault = null;
    expect(outcome).toMatchObject({ kind: 'unverified', reason: 'internal_error', route: 'dead_letter' });
    const texts = await textsOfRun(extraction);
    expect(texts.filter((found) => found.includes(marker))).toEqual([]);
  });

  it('would be caught leaking: a marker planted in a failure message is found', async () => {
    const marker = `Zq${randomUUID().replaceAll('-', '')}`;
    fault = ApplicationFailure.create({
      message: `cannot read ${marker}`,
      type: 'internal_error',
      nonRetryable: true,
    });
    const { extraction } = await house.extract({
      specId: 'claim',
      document: document(claimText({ claimant: 'Planted Leak' })),
    });
    fault = null;
    const texts = await textsOfRun(extraction);
    expect(texts.some((found) => found.includes(marker))).toBe(true);
  });
});
