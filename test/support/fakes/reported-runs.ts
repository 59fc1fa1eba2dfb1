import { createHash } from 'node:crypto';
import type { RouteName } from '../../../src/domain/route.js';
import type { Attempt } from '../../../src/ports/attempt-store.js';
import { type Bench, rejectedAttempt } from './bench.js';
import { runId } from './memory-store.js';
import { goodReceipt, receiptSpec } from './receipt-spec.js';

/** How one run fared: how many attempts it made, of 1.234 s each, and whether the last one verified it. */
export interface Fared {
  readonly attempts: number;
  readonly ending: 'verified' | 'exhausted' | 'open';
  readonly tenant?: string;
  readonly specId?: string;
  readonly promptVersion?: string;
  /** Where it landed if it was exhausted. */
  readonly route?: RouteName;
}

/** Stored runs, begun a second apart; answers with their keys. */
export async function storeRuns({ store, app, pass }: Bench, runs: readonly Fared[]): Promise<string[]> {
  const keys: string[] = [];
  for (const {
    attempts,
    ending,
    tenant = 'acme',
    specId = 'receipt',
    promptVersion = 'v2',
    ...rest
  } of runs) {
    const serial = store.rows.length;
    const key = createHash('sha256').update(`run ${serial}`).digest('hex');
    const at = app.now();
    const { extraction } = await store.extractions.open(
      {
        ...{ key, subject: key, tenant, documentHash: key, specId, schemaVersion: '1', promptVersion },
        ...{
          policy: receiptSpec().policy,
          tags: [],
          batchId: null,
          fileName: `scan-${serial}.pdf`,
          provider: 'stand-in',
          at,
        },
      },
      false,
    );
    const made = Array.from({ length: attempts }, (_, index) =>
      attemptOf(index + 1, at + (index + 1) * 1_234, ending === 'verified' && index === attempts - 1),
    );
    store.attemptRows.set(runId(key, extraction.run), made);
    keys.push(key);
    pass(1_000);
    if (ending === 'open') continue;
    const reason = ending === 'exhausted' ? ('attempt_cap' as const) : null;
    store.end(key, {
      ...{
        outcome: ending === 'verified' ? 'verified' : 'unverified',
        reason,
        attempts,
        closedAt: at + attempts * 1_234,
      },
      route: reason === null ? null : (rest.route ?? 'human_review'),
    });
  }
  return keys;
}

function attemptOf(attempt: number, at: number, isAccepted: boolean): Attempt {
  const rejected = rejectedAttempt(attempt, { at });
  if (!isAccepted) return rejected;
  const result = { kind: 'accepted' as const, candidateHash: 'c'.repeat(64) };
  return { ...rejected, report: { ...rejected.report, result }, problems: [], candidate: goodReceipt };
}

/** Ten documents: seven verified at once, one by its second attempt, one exhausted after three, one open. */
export const ten: readonly Fared[] = [
  ...Array.from({ length: 7 }, () => ({ attempts: 1, ending: 'verified' as const })),
  { attempts: 2, ending: 'verified' },
  { attempts: 3, ending: 'exhausted' },
  { attempts: 1, ending: 'open' },
];
