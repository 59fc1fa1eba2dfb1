import { createHash } from 'node:crypto';
import type { RunRef } from '../../../src/domain/extraction-input.js';
import type { Reason } from '../../../src/domain/reason.js';
import { routeNames } from '../../../src/domain/route.js';
import type { Attempt, Call } from '../../../src/ports/attempt-store.js';
import type { DeadLetter } from '../../../src/ports/dead-letter-store.js';
import type {
  Extraction,
  ExtractionFilter,
  NewExtraction,
  Opening,
} from '../../../src/ports/extraction-store.js';
import type { RecordFilter, StoredRecord } from '../../../src/ports/record-store.js';
import type { Store, StoredDocument } from '../../../src/ports/store.js';
import { createMemoryBatches } from './memory-batches.js';
import { createMemoryEvaluations, type MemoryEvaluations } from './memory-evaluations.js';
import { createMemoryKeys } from './memory-keys.js';
import { createMemoryLetters } from './memory-letters.js';
import { byPrefix, isOfTenant, pageOf, unused } from './memory-page.js';
import { createMemoryReports } from './memory-reports.js';
import { createMemoryRequests, createMemoryTrail } from './memory-requests.js';
import { createMemoryRetention } from './memory-retention.js';
import { createMemoryReviews, type MemoryReviews } from './memory-reviews.js';
import { createMemoryTenants, type MemoryTenants } from './memory-tenants.js';
import { createMemoryTraffic, type MemoryTraffic } from './memory-traffic.js';
import { createMemoryWebhooks, type MemoryWebhooks } from './memory-webhooks.js';

/** A store in memory whose rows tests may read and set. It keeps the promises of the port that use cases rely on. */
export interface MemoryStore extends Store {
  readonly rows: Extraction[];
  readonly documentRows: Map<string, StoredDocument>;
  readonly attemptRows: Map<string, Attempt[]>;
  readonly callRows: Map<string, Call[]>;
  readonly recordRows: StoredRecord[];
  readonly letters: Map<string, DeadLetter>;
  readonly reviews: MemoryReviews;
  readonly webhooks: MemoryWebhooks;
  readonly traffic: MemoryTraffic;
  readonly evaluations: MemoryEvaluations;
  readonly tenants: MemoryTenants;
  /** Closes the newest run of a key as its workflow would. */
  end(key: string, ending: Partial<Extraction>): Extraction;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Attempts and calls are filed under this. */
export const runId = (key: string, run: number) => `${key}/${run}`;

export function createMemoryStore(now: () => number): MemoryStore {
  const rows: Extraction[] = [];
  const documentRows = new Map<string, StoredDocument>();
  const attemptRows = new Map<string, Attempt[]>();
  const callRows = new Map<string, Call[]>();
  const recordRows: StoredRecord[] = [];
  const letters = new Map<string, DeadLetter>();
  const labels = new Map<string, string>();
  const requests = createMemoryRequests();
  const latestOf = (key: string) => rows.findLast((row) => row.key === key);

  const open = (extraction: NewExtraction, redrive: boolean): Opening => {
    const latest = latestOf(extraction.key);
    if (latest?.state === 'open') return { kind: 'running', extraction: latest };
    const isErased = latest !== undefined && latest.erasedAt !== null;
    if (latest !== undefined && !isErased && (!redrive || latest.outcome === 'verified')) {
      return { kind: 'closed', extraction: latest };
    }
    const opened = openRow(extraction, (latest?.run ?? 0) + 1);
    rows.push(opened);
    return { kind: 'opened', extraction: opened };
  };

  const reviews = createMemoryReviews();
  const memory: MemoryStore = {
    ...createMemoryReports({
      rows,
      attemptsOf: ({ key, run }) => attemptRows.get(runId(key, run)) ?? [],
      callsOf: ({ key, run }) => callRows.get(runId(key, run)) ?? [],
      reviews,
    }),
    rows,
    documentRows,
    attemptRows,
    callRows,
    recordRows,
    letters,
    reviews,
    webhooks: createMemoryWebhooks(),
    evaluations: createMemoryEvaluations(),
    end(key, ending) {
      const row = latestOf(key);
      if (row === undefined) throw new Error(`No run of ${key} to close.`);
      const answered = (ending.attempts ?? 0) > 0 ? { provider: 'stand-in', model: 'claude-haiku-5-5' } : {};
      const closed: Extraction = { ...row, ...answered, state: 'closed', closedAt: now(), ...ending };
      rows[rows.indexOf(row)] = closed;
      return closed;
    },
    documents: {
      put: async ({ tenant, mediaType, bytes }) => {
        const hash = sha256(bytes);
        documentRows.set(`${tenant}/${hash}`, { mediaType, bytes });
        return hash;
      },
      stored: async (tenant, hashes) =>
        new Set(hashes.filter((hash) => documentRows.has(`${tenant}/${hash}`))),
      touch: async (tenant, hash) => documentRows.has(`${tenant}/${hash}`),
      load: async (tenant, hash) => documentRows.get(`${tenant}/${hash}`) ?? null,
    },
    specVersions: {
      check: async () => ({ kind: 'honest' }),
      // Rows that tests put there stand for runs whose spec was registered.
      used: async (specId) =>
        rows.flatMap((row) =>
          row.specId === specId
            ? [{ label: 'schema', version: row.schemaVersion, hash: '', firstUsedAt: row.startedAt } as const]
            : [],
        ),
      register: async (spec) => {
        for (const [label, version, hash] of [
          ['schema', spec.schemaVersion, spec.schemaHash],
          ['prompt', spec.promptVersion, spec.promptHash],
        ] as const) {
          const name = `${spec.specId} ${label} ${version}`;
          if ((labels.get(name) ?? hash) !== hash) return { kind: 'changed', label, version };
          labels.set(name, hash);
        }
        return { kind: 'honest' };
      },
    },
    extractions: {
      open: async (extraction, redrive, once) => {
        const { kind, extraction: row } = open(extraction, redrive);
        if (once !== undefined) requests.answer(once, { key: row.key, run: row.run, kind });
        return { kind, extraction: row };
      },
      find: async (key, run) => {
        const newest = [...new Map(rows.map((row) => [row.key, row])).values()];
        const latest = byPrefix(newest, key, (row) => row.key);
        if (latest === null || run === undefined) return latest;
        return rows.find((row) => row.key === latest.key && row.run === run) ?? null;
      },
      fileNames: async (keys) =>
        new Map(rows.filter(({ key }) => keys.includes(key)).map(({ key, fileName }) => [key, fileName])),
      list: async (filter, page) => pageOf(rows.filter((row) => fits(row, filter)).reverse(), page),
      unkept: async ({ from, before }, page) =>
        pageOf(
          rows.filter(
            ({ key, route, closedAt }) =>
              (route === 'fallback' || route === 'best_effort') &&
              (closedAt ?? 0) >= from &&
              (closedAt ?? before) < before &&
              !recordRows.some((record) => record.key === key && record.status === route),
          ),
          page,
        ),
      strayed: async (page) =>
        pageOf(
          rows.filter(({ route }) => route !== null && !routeNames.includes(route)),
          page,
        ),
      oldestOpen: async (filter, limit) =>
        rows.filter((row) => row.state === 'open' && fits(row, filter)).slice(0, limit),
      pulse: async () => JSON.stringify([rows.map(({ state, attempts }) => [state, attempts])]),
      tally: async (batchId) => {
        const batch = rows.filter((row) => row.batchId === batchId);
        const unverified: Partial<Record<Reason, number>> = {};
        for (const { reason } of batch) {
          if (reason !== null) unverified[reason] = (unverified[reason] ?? 0) + 1;
        }
        return {
          open: batch.filter(({ state }) => state === 'open').length,
          verified: batch.filter(({ outcome }) => outcome === 'verified').length,
          unverified,
        };
      },
      land: async ({ ref, ending, route, at }) => {
        const place = rows.findIndex((row) => row.key === ref.key && row.run === ref.run);
        const row = rows[place];
        if (row === undefined) throw new Error(`No run ${ref.run} of ${ref.key} to land.`);
        const hasNoPlace = row.route !== null && !routeNames.includes(row.route);
        const movesOn = (row.route === 'fallback' || hasNoPlace) && row.outcome === 'unverified';
        if ((row.state === 'open' || movesOn) && ending.kind === 'unverified') {
          const { attempts, reason, failureClass, diagnosis } = ending;
          const ended = { attempts, reason, failureClass, diagnosis, route };
          rows[place] = { ...row, ...ended, state: 'closed', outcome: 'unverified', closedAt: at };
          if (route === 'dead_letter') {
            const { policy, tags, fileName } = row;
            const redrivenInto = letters.get(row.key)?.redrivenInto ?? null;
            const kept = { policy, tags, fileName, at, redrivenInto, state: 'parked' as const };
            letters.set(row.key, { ...refOf(row), ...kept, reason, failureClass });
          }
        }
        const extraction = rows[place] ?? row;
        return { outcome: extraction.outcome ?? 'unverified', route: extraction.route, extraction };
      },
    },
    breakers: {
      report: unused('breakers.report'),
      leave: unused('breakers.leave'),
      list: async () => [],
    },
    gauges: { read: unused('gauges.read'), repairTraffic: unused('gauges.repairTraffic') },
    attempts: {
      stored: unused('stored'),
      beginCall: unused('beginCall'),
      endCall: unused('endCall'),
      problems: unused('problems'),
      previousCandidate: unused('previousCandidate'),
      commit: unused('commit'),
      recentP90Ms: async () => [],
      list: async (key, run) => attemptRows.get(runId(key, run)) ?? [],
      calls: async (key, run) => callRows.get(runId(key, run)) ?? [],
    },
    records: {
      put: unused('put'),
      current: async (subject) => {
        const own = recordRows.filter((record) => record.subject === subject);
        return (
          own.findLast(({ status }) => status === 'human_verified') ??
          own.findLast(({ status }) => status === 'verified') ??
          null
        );
      },
      settledByPerson: async (keys) =>
        new Map(
          recordRows.flatMap(({ key, status }) =>
            keys.includes(key) && (status === 'human_verified' || status === 'rejected')
              ? [[key, status] as const]
              : [],
          ),
        ),
      ofKey: async (key) => recordRows.filter((record) => record.key === key),
      list: async (filter, page) =>
        pageOf(
          recordRows.filter((record) => isAsked(record, filter)),
          page,
        ),
      stream: async function* (filter) {
        for (const record of recordRows.filter((row) => isAsked(row, filter))) yield [record];
      },
    },
    deadLetters: createMemoryLetters(letters, rows, open),
    keys: createMemoryKeys(),
    traffic: createMemoryTraffic(),
    tenants: createMemoryTenants(rows),
    batches: createMemoryBatches(rows, open, requests),
    trail: createMemoryTrail(),
    idempotency: requests,
    retention: createMemoryRetention(() => memory),
    ping: async () => undefined,
    close: async () => undefined,
  };
  return memory;
}

function isAsked(record: StoredRecord, filter: RecordFilter): boolean {
  return (
    (filter.statuses ?? ['verified', 'human_verified']).includes(record.status) &&
    isOfTenant(record.tenant, filter) &&
    (filter.specId === undefined || record.specId === filter.specId) &&
    (filter.since === undefined || record.at >= filter.since)
  );
}

function refOf(row: RunRef): RunRef {
  const { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion } = row;
  return { key, run, subject, tenant, documentHash, specId, schemaVersion, promptVersion };
}

function openRow(extraction: NewExtraction, run: number): Extraction {
  const { at, ...parts } = extraction;
  return {
    ...parts,
    run,
    state: 'open',
    outcome: null,
    reason: null,
    failureClass: null,
    diagnosis: null,
    route: null,
    provider: null,
    model: null,
    attempts: 0,
    calls: 0,
    tokens: 0,
    cost: { amount: '0', currency: 'USD' },
    startedAt: at,
    deadlineAt: at + extraction.policy.deadlineMs,
    closedAt: null,
    erasedAt: null,
  };
}

function fits(row: Extraction, filter: ExtractionFilter): boolean {
  const {
    tag,
    file,
    withEvaluations,
    startedBefore = Number.POSITIVE_INFINITY,
    startedFrom = 0,
    ...rest
  } = filter;
  if (!isOfTenant(row.tenant, filter)) return false;
  const { attemptsFrom = 0, attemptsTo = Number.POSITIVE_INFINITY, ...columns } = rest;
  const same = Object.entries(columns).every(
    ([name, value]) => value === undefined || row[name as keyof typeof columns] === value,
  );
  const isWithin = row.startedAt >= startedFrom && row.startedAt < startedBefore;
  const isOfAttempts = row.attempts >= attemptsFrom && row.attempts <= attemptsTo;
  if (file !== undefined && !row.fileName?.toLowerCase().startsWith(file.toLowerCase())) return false;
  return same && isWithin && isOfAttempts && (tag === undefined || row.tags.includes(tag));
}
