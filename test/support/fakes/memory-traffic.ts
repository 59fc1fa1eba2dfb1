import type { RepairSwitch, RepairTraffic, TrafficStore } from '../../../src/ports/store.js';
import { unused } from './memory-page.js';

/** Switches in memory, and traffic as a test sets it. */
export interface MemoryTraffic extends TrafficStore {
  readonly switchRows: RepairSwitch[];
  readonly counts: Map<string, RepairTraffic>;
}

export function createMemoryTraffic(): MemoryTraffic {
  const switchRows: RepairSwitch[] = [];
  const counts = new Map<string, RepairTraffic>();
  const none: RepairTraffic = { primaries: 0, granted: 0, deniedByBudget: 0, deniedByPause: 0 };
  return {
    switchRows,
    counts,
    takePermit: unused('takePermit'),
    switchRepairs: async (change) => void switchRows.push(change),
    switches: async () => [...new Map(switchRows.map((row) => [row.specId, row])).values()],
    repairTraffic: async (specId) => counts.get(specId) ?? none,
  };
}
