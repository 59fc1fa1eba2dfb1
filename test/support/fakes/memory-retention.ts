import type { Erasure, Holdings, RetentionRule, RetentionStore } from '../../../src/ports/retention-store.js';
import { unused } from './memory-page.js';
import type { MemoryStore } from './memory-store.js';

/** Erases in the rows of a memory store; sweeps are the database's work. */
export function createMemoryRetention(store: () => MemoryStore): RetentionStore {
  const rules = new Map<string, RetentionRule>();
  const runsOf = (tenant: string, documentHash: string) =>
    store().rows.filter((row) => row.tenant === tenant && row.documentHash === documentHash);
  return {
    removeLooseObjects: async () => 0,
    holdings: async (tenant, documentHash): Promise<Holdings | null> => {
      const runs = runsOf(tenant, documentHash);
      const isStored = store().documentRows.has(`${tenant}/${documentHash}`);
      if (!isStored && runs.length === 0) return null;
      const keys = new Set(runs.map(({ key }) => key));
      return {
        tenant,
        documentHash,
        storedAt: isStored ? 0 : null,
        extractions: runs.length,
        running: runs.filter(({ state }) => state === 'open').length,
        records: store().recordRows.filter(({ key }) => keys.has(key)).length,
        openReviews: [...store().reviews.tasks.values()].filter(
          ({ key, state }) => keys.has(key) && state === 'open',
        ).length,
        erasedAt: runs.reduce<number | null>((latest, { erasedAt }) => erasedAt ?? latest, null),
      };
    },
    holders: async (documentHash) => {
      const { rows, documentRows } = store();
      const stored = [...documentRows.keys()].filter((name) => name.endsWith(`/${documentHash}`));
      const kept = rows.filter((row) => row.documentHash === documentHash && row.erasedAt === null);
      return [
        ...new Set([...stored.map((name) => name.slice(0, -65)), ...kept.map(({ tenant }) => tenant)]),
      ].sort();
    },
    erase: async (tenant, documentHash, at): Promise<Erasure> => {
      const { rows, documentRows, recordRows, reviews, letters } = store();
      const runs = runsOf(tenant, documentHash);
      const keys = new Set(runs.map(({ key }) => key));
      for (const run of runs)
        rows[rows.indexOf(run)] = { ...run, fileName: null, erasedAt: run.erasedAt ?? at };
      for (const key of keys) letters.delete(key);
      const records = recordRows.filter(({ key }) => keys.has(key));
      for (const record of records) recordRows.splice(recordRows.indexOf(record), 1);
      const tasks = [...reviews.tasks.values()].filter(({ key }) => keys.has(key));
      for (const task of tasks)
        if (task.state === 'open') reviews.tasks.set(task.id, { ...task, state: 'withdrawn', decidedAt: at });
      return {
        bytes: documentRows.delete(`${tenant}/${documentHash}`),
        extractions: runs.filter(({ erasedAt }) => erasedAt === null).length,
        records: records.length,
        reviews: tasks.filter(({ state }) => state === 'open').length,
        subjects: tasks.map(({ subject }) => subject),
      };
    },
    rules: async () => [...rules.values()],
    set: async (rule) => {
      rules.set(rule.tenant, rule);
    },
    unset: async (tenant) => rules.delete(tenant),
    forgetDocuments: unused('forgetDocuments'),
    forgetRecords: unused('forgetRecords'),
  };
}
