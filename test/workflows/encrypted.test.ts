import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodecKey, createHistoryCodec } from '../../src/adapters/temporal/codec.js';
import { converterWith } from '../../src/adapters/temporal/data-converter.js';
import { createTemporalEngine } from '../../src/adapters/temporal/engine.js';
import { decideReview } from '../../src/application/decide-review.js';
import { taskQueues } from '../../src/domain/task-queue.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import type { extraction } from '../../workflows/extraction.js';
import { historyText, textsOf } from '../support/decoded-history.js';
import { eventually } from '../support/eventually.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';
import { openScene, type Scene } from './scene.js';

const key = (id: string): CodecKey => ({ id, secret: randomBytes(32) });
const [current, previous] = [key('2026-b'), key('2026-a')];
const spec = claimSpec('claim-sealed');
/** The same wrong amount whatever the model is told: ends in review. */
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({
    specs: [spec],
    entrance: async (address) => ({ address, namespace: 'default', codecKeys: [current, previous] }),
  });
});
afterAll(() => scene.close());

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
interface JsonPayload {
  readonly metadata: Readonly<Record<string, string>>;
  readonly data?: string;
}

/** What the SDK itself notes of a local activity, in the clear: which one, and when. */
const noteOfLocalActivity =
  /^\{"seq":\d+,"attempt":\d+,"activity_id":"\d+","activity_type":"takePermit","complete_time":[^"]*"seconds":\d+,"nanos":\d+\},"backoff":null,"original_schedule_time":[^"]*"seconds":\d+,"nanos":\d+\}\}$/;

/** The payloads of a history, those of search attributes apart: the server reads these. */
function payloadsOf(value: Json): { readonly sealed: JsonPayload[]; readonly indexed: JsonPayload[] } {
  const sealed: JsonPayload[] = [];
  const indexed: JsonPayload[] = [];
  const walk = (inner: Json, into: JsonPayload[]): void => {
    if (Array.isArray(inner)) for (const one of inner) walk(one, into);
    else if (typeof inner === 'object' && inner !== null) {
      if ('metadata' in inner) {
        const payload = inner as unknown as JsonPayload;
        const isNote = noteOfLocalActivity.test(Buffer.from(payload.data ?? '', 'base64').toString());
        if (!isNote) into.push(payload);
      } else
        for (const [name, one] of Object.entries(inner)) walk(one, name === 'indexedFields' ? indexed : into);
    }
  };
  walk(value, sealed);
  return { sealed, indexed };
}

const codec = createHistoryCodec([current, previous]);

/** Every string, long enough to be told from chance, that the payloads hold once they are decrypted. */
async function saidIn(payloads: readonly JsonPayload[]): Promise<ReadonlySet<string>> {
  const bytes = (text = '') => Buffer.from(text, 'base64');
  const opened = await codec.decode(
    payloads.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, bytes(text)])),
      data: bytes(data),
    })),
  );
  const said = opened.flatMap(({ data }) =>
    data.length === 0 ? [] : textsOf(Buffer.from(data).toString('utf8')),
  );
  return new Set(said.filter((text) => text.length >= 6));
}

/** Words of payloads that the protocol's own field names, types and queues use as well. */
const ownWords = new Set(['attempt', 'eventId', 'repair', 'requestId', 'result']);

describe('an encrypted history', () => {
  it('says nothing of its payloads to whoever reads it raw: arguments, results, memos, summaries, updates', async () => {
    const text = claimText({});
    const ended = await scene.run({ spec, text, turns: [stubborn] });
    const { subject, key: id, documentHash } = ended.extraction;
    expect(ended.extraction.route).toBe('human_review');
    const reviewId = workflowIds.humanReview(subject);
    await eventually(async () => {
      expect((await scene.client.workflow.getHandle(reviewId).describe()).status.name).toBe('RUNNING');
    });
    await decideReview(scene.house.app, {
      review: id,
      actor: 'ada',
      verb: 'reject',
      values: null,
      note: 'a blank form',
      overrides: [],
      ifVersion: null,
    });
    const kinds = new Set<string>();
    for (const workflowId of [workflowIds.extraction(id), reviewId]) {
      const raw = await historyText(scene.client, workflowId);
      const history = JSON.parse(raw) as Json;
      const { sealed, indexed } = payloadsOf(history);
      expect(sealed.length).toBeGreaterThan(3);
      const encodings = sealed.map(({ metadata }) =>
        Buffer.from(metadata['encoding'] ?? '', 'base64').toString(),
      );
      expect(new Set(encodings)).toEqual(new Set(['binary/encrypted']));
      const said = await saidIn(sealed);
      for (const one of said) kinds.add(one);
      const visible = textsOf(raw);
      const indexedTexts = textsOf(JSON.stringify(indexed));
      // An update is named after its event, which is a random number.
      const updates = [...raw.matchAll(/"updateId":\s*"([^"]+)"/g)].map(([, id = '']) => id);
      const open = new Set([
        workflowId,
        subject,
        id,
        ...updates,
        ...indexedTexts.map((one) => one.replace(/^"|"$/g, '')),
      ]);
      const leaked = [...said].filter(
        (one) => !open.has(one) && !ownWords.has(one) && visible.some((seen) => seen.includes(one)),
      );
      expect(leaked).toEqual([]);
      expect(visible.join('\n')).not.toContain(documentHash.slice(0, 12));
    }
    // What was looked for was really there to be found.
    const all = [...kinds].join('\n');
    for (const there of [
      documentHash,
      'constraint',
      '\n/',
      'attempt 2, repair',
      'reject',
      spec.policy.models[0],
    ])
      expect(all).toContain(there);
  });

  it('is read with an older key after a rotation, and without it the fault names the key', async () => {
    const text = claimText({});
    const { row, input } = await scene.prepare({ spec, text });
    const { address } = scene.house.temporal;
    const at = (codecKeys: readonly CodecKey[]) =>
      createTemporalEngine({ address, namespace: 'default', uiUrl: null, codecKeys });
    const [before, after, without] = await Promise.all([
      at([previous]),
      at([current, previous]),
      at([previous]),
    ]);
    await before.start(input);
    expect((await scene.ended(row)).outcome?.kind).toBe('verified');
    expect(await after.result(row.key, 10_000)).toMatchObject({ outcome: 'verified' });
    // Its arguments were sealed with the old key, its result by a worker with the new one.
    await expect(without.result(row.key, 10_000)).rejects.toThrow(EngineUnavailable);
    await expect(without.result(row.key, 10_000)).rejects.toThrow(
      /^No codec key "2026-b" is configured here/,
    );
    await Promise.all([before.close(), after.close(), without.close()]);
  });

  it('that a worker has no key for waits for one that has, and keeps nobody else waiting', async () => {
    const { row, input } = await scene.prepare({ spec, text: claimText({}) });
    const unknown = key('2027-a');
    const client = new Client({
      connection: scene.client.connection,
      dataConverter: converterWith([unknown]),
    });
    const handle = await client.workflow.start<typeof extraction>('extraction', {
      workflowId: workflowIds.extraction(row.key),
      taskQueue: taskQueues.workflows,
      args: [input],
    });
    await eventually(async () => {
      const failed = (await handle.fetchHistory()).events?.filter(
        (event) => event.workflowTaskFailedEventAttributes,
      );
      expect(failed?.length).toBeGreaterThan(0);
    });
    expect((await scene.run({ spec, text: claimText({}) })).outcome?.kind).toBe('verified');
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await handle.terminate();
  });
});
