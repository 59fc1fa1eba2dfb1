import type { Extraction } from '../../../src/ports/extraction-store.js';
import type { TenantRule, TenantStore, TenantUsage } from '../../../src/ports/tenant-store.js';

/** Limits in memory. `waitsMs`: what the next submissions are told, one each; then they are let in. */
export interface MemoryTenants extends TenantStore {
  readonly waitsMs: number[];
  readonly usageRows: TenantUsage[];
}

export function createMemoryTenants(rows: readonly Extraction[]): MemoryTenants {
  const known = new Map<string, TenantRule>();
  const waitsMs: number[] = [];
  const usageRows: TenantUsage[] = [];
  return {
    waitsMs,
    usageRows,
    rule: async (tenant) => known.get(tenant) ?? null,
    rules: async () => [...known.values()],
    setRule: async (rule) => void known.set(rule.tenant, rule),
    removeRule: async (tenant) => known.delete(tenant),
    openCount: async (tenant) => rows.filter((row) => row.tenant === tenant && row.state === 'open').length,
    admit: async () => waitsMs.shift() ?? 0,
    usage: async ({ tenant }) => usageRows.filter((row) => tenant === undefined || row.tenant === tenant),
  };
}
