import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataConverter } from '../../src/adapters/temporal/data-converter.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
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

async function textsOfRun(key: string, run: number): Promise<readonly string[]> {
  const ids = [workflowIds.extraction(key), workflowIds.fallback(key, run), workflowIds.bestEffort(key, run)];
  const texts: string[] = [];
  for (const id of ids) {
    try {
      texts.push(...textsOf(await historyText(client, id)));
    } catch {
      // Not every run has every child.
    }
  }
  const { memo, staticSummary, staticDetails } = await client.workflow.getHandle(ids[0] as string).describe();
  return [...texts, JSON.stringify(memo ?? {}), String(await staticSummary()), String(await staticDetails())];
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

  it('holds nothing of the document, decoded to the last payload', async () => {
    const marker = `Zq${randomUUID().replaceAll('-', '')}`;
    const papers = [
      { specId: 'claim', text: claimText({ claimant: marker }) },
      // Rules broken on every attempt, so that feedback, problems and landing all have something to leak.
      {
        specId: 'claim-two-decimals',
        text: claimText({ claimant: marker, currency: 'BHD', amounts: ['1000.125', '204.250'] }),
      },
    ];
    for (const { specId, text } of papers) {
      const { extraction } = await house.extract({ specId, document: document(text) });
      const texts = await textsOfRun(extraction.key, extraction.run);
      expect(texts.length).toBeGreaterThan(50);
      expect(texts.filter((found) => found.includes(marker))).toEqual([]);
    }
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
    const texts = await textsOfRun(extraction.key, extraction.run);
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
    const texts = await textsOfRun(extraction.key, extraction.run);
    expect(texts.some((found) => found.includes(marker))).toBe(true);
  });
});
