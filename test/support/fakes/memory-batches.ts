import { type BatchPart, batchParts } from '../../../src/domain/batch.js';
import type { Reason } from '../../../src/domain/reason.js';
import type { Batch, BatchCollected, BatchDocument, BatchStore } from '../../../src/ports/batch-store.js';
import type { Extraction, NewExtraction, Opening } from '../../../src/ports/extraction-store.js';
import { byPrefix, pageOf, unused } from './memory-page.js';
import type { MemoryRequests } from './memory-requests.js';

type Entry = { -readonly [Name in keyof BatchDocument]: BatchDocument[Name] };

/** Batches in memory, over the runs of the memory store. */
export function createMemoryBatches(
  rows: readonly Extraction[],
  open: (extraction: NewExtraction, redrive: boolean) => Opening,
  requests: Pick<MemoryRequests, 'answer'>,
): BatchStore {
  const batches = new Map<string, Batch>();
  const documents = new Map<string, Entry[]>();
  let position = 0;
  let endings = 0;
  const there = (id: string): Batch => {
    const batch = batches.get(id);
    if (batch === undefined) throw new Error(`There is no batch ${id}.`);
    return batch;
  };
  const isCollecting = ({ id, at }: BatchCollected) =>
    batches.get(id)?.state === 'collecting' && batches.get(id)?.at === at;
  const of = (id: string) => documents.get(id) ?? [];
  const entry = (id: string, item: string) => of(id).find((document) => document.item === item);
  const isUnderWay = ({ state }: BatchDocument) => state === 'starting' || state === 'running';
  const ownUnderWay = (id: string) => of(id).filter((each) => isUnderWay(each) && each.part === 'own');
  const runOf = ({ key, run }: BatchDocument) => rows.find((row) => row.key === key && row.run === run);

  return {
    create: async (batch) => {
      const fresh = {
        ...{ state: 'collecting' as const, cap: batch.policy.attemptCap, documents: null },
        ...{ beganAt: null, deadlineAt: null, endedAt: null },
      };
      if (!batches.has(batch.id)) batches.set(batch.id, { ...batch, ...fresh });
      return there(batch.id);
    },
    find: async (id) => batches.get(id) ?? null,
    findNamed: async (name) => byPrefix([...batches.values()], name, ({ id }) => id),
    course: unused('batches.course'),
    list: async (filter, page) =>
      pageOf(
        [...batches.values()]
          .filter(
            ({ tenant, specId, state }) =>
              tenant === (filter.tenant ?? tenant) &&
              specId === (filter.specId ?? specId) &&
              [filter.state ?? state].flat().includes(state),
          )
          .reverse(),
        page,
      ),
    collectAnew: async (id, at) => {
      const batch = there(id);
      if (batch.state !== 'collecting') return batch;
      documents.delete(id);
      batches.set(id, { ...batch, at: Math.max(batch.at + 1, at) });
      return there(id);
    },
    add: async (batch, added) => {
      const { id } = batch;
      if (!isCollecting(batch)) return false;
      for (const document of added) {
        if (entry(id, document.item) !== undefined) continue;
        position += 1;
        const fresh = { state: 'waiting' as const, part: null, run: null, outcome: null, reason: null };
        const waiting = { ...document, ...fresh, position, attempts: 0, tokens: 0, ended: null };
        documents.set(id, [...of(id), waiting]);
      }
      return true;
    },
    begin: async (id, at, { once, collected } = {}) => {
      if (collected !== undefined && there(id).at !== collected.at) return there(id);
      if (once !== undefined) requests.answer(once, { batch: id, content: once.content });
      const batch = there(id);
      if (batch.state === 'running' || batch.state === 'finished') return batch;
      const deadlineAt = batch.deadlineAt ?? (batch.deadlineMs === null ? null : at + batch.deadlineMs);
      batches.set(id, {
        ...batch,
        ...{ state: 'running', endedAt: null, deadlineAt },
        beganAt: batch.beganAt ?? at,
        documents: batch.documents ?? of(id).length,
      });
      return there(id);
    },
    discard: async (batch) => {
      if (isCollecting(batch)) batches.delete(batch.id);
    },
    note: async (id, state, cap, at) => {
      const isEnd = state === 'cancelled' || state === 'finished';
      batches.set(id, { ...there(id), state, cap, endedAt: isEnd ? at : null });
    },
    settle: async (id) => {
      for (const document of of(id).filter(isUnderWay)) {
        const row = runOf(document);
        if (row?.state !== 'closed') continue;
        endings += 1;
        const { outcome, reason, attempts } = row;
        const tokens = document.part === 'own' ? row.tokens : 0;
        Object.assign(document, { state: 'ended', outcome, reason, attempts, tokens, ended: endings });
      }
    },
    count: async (id, cap) => {
      const all = of(id);
      const completed = all.filter(({ state, part }) => state === 'ended' && part === 'own');
      const running = ownUnderWay(id).map(runOf);
      const unverified: Partial<Record<Reason, number>> = {};
      for (const { reason } of all) if (reason !== null) unverified[reason] = (unverified[reason] ?? 0) + 1;
      const completedTokens = completed.reduce((sum, { tokens }) => sum + tokens, 0);
      return {
        waiting: all.filter(({ state }) => state === 'waiting').length,
        underWay: all.filter(isUnderWay).length,
        ownUnderWay: running.length,
        verified: all.filter(({ outcome }) => outcome === 'verified').length,
        unverified,
        refused: all.filter(({ part }) => part === 'refused').length,
        parts: Object.fromEntries(
          batchParts.map((part) => [part, all.filter((each) => each.part === part).length]),
        ) as Record<BatchPart, number>,
        completed: completed.length,
        completedTokens,
        completedAttempts: completed.reduce((sum, { attempts }) => sum + attempts, 0),
        tokens: completedTokens + running.reduce((sum, row) => sum + (row?.tokens ?? 0), 0),
        beyond: running.reduce((sum, row) => sum + Math.max(0, cap - 1 - (row?.attempts ?? 0)), 0),
        largestAttemptTokens: Math.max(
          0,
          ...completed.map(({ tokens, attempts }) => Math.ceil(tokens / Math.max(1, attempts))),
        ),
      };
    },
    waiting: async (id, limit) =>
      of(id)
        .filter(({ state }) => state === 'waiting')
        .slice(0, limit),
    starting: async (id) => of(id).filter(({ state }) => state === 'starting'),
    take: async (id, item, into, redrive) => {
      const document = entry(id, item);
      if (document?.state !== 'waiting') return null;
      const before = rows.findLast(({ key, batchId }) => key === into.key && batchId === into.batchId);
      const opening = before === undefined ? open(into, redrive) : null;
      const extraction = before ?? opening?.extraction;
      if (extraction === undefined) throw new Error('A run was neither found nor opened.');
      const parts = { opened: 'own', running: 'followed', closed: 'known' } as const;
      const part = opening === null ? 'repeated' : parts[opening.kind];
      const state = part === 'own' ? 'starting' : 'running';
      Object.assign(document, { state, part, run: extraction.run });
      return { part, extraction };
    },
    started: async (id, item) => {
      const document = entry(id, item);
      if (document?.state === 'starting') document.state = 'running';
    },
    refuse: async (id, item) => {
      const document = entry(id, item);
      if (document?.state !== 'waiting') return;
      endings += 1;
      Object.assign(document, { state: 'ended', part: 'refused', ended: endings });
    },
    ownRuns: async (id) => ownUnderWay(id).map(({ key, run }) => ({ key, run: run ?? 1 })),
    documents: async (id, filter, page) =>
      pageOf(
        of(id).filter(
          ({ state, outcome, reason }) =>
            state === (filter.state ?? state) &&
            outcome === (filter.outcome ?? outcome) &&
            reason === (filter.reason ?? reason),
        ),
        page,
      ),
    endedAfter: async (id, place, limit) =>
      of(id)
        .filter(({ ended }) => ended !== null && ended > place)
        .sort((left, right) => (left.ended ?? 0) - (right.ended ?? 0))
        .slice(0, limit),
  };
}
