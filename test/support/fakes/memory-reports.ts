import { addCost } from '../../../src/domain/spent.js';
import type { Attempt, Call } from '../../../src/ports/attempt-store.js';
import type { AuditItem, AuditSample, AuditStore, AuditVerdict } from '../../../src/ports/audit-store.js';
import type { Extraction } from '../../../src/ports/extraction-store.js';
import type { FoldStore } from '../../../src/ports/fold-store.js';
import type { AttemptVerdicts, ReportFilter, ReportStore } from '../../../src/ports/report-store.js';
import type { AttemptRow, DocumentRow, UnansweredRow } from '../../../src/reports/rows.js';
import { byPrefix, isOfTenant, pageOf } from './memory-page.js';
import type { MemoryReviews } from './memory-reviews.js';

interface Memory {
  readonly rows: readonly Extraction[];
  attemptsOf(run: Extraction): readonly Attempt[];
  callsOf(run: Extraction): readonly Call[];
  readonly reviews: MemoryReviews;
}

/** Reports and audits over the rows of a memory store. */
export function createMemoryReports(memory: Memory): {
  readonly reports: ReportStore;
  readonly folds: FoldStore;
  readonly audits: AuditStore;
} {
  const samples = new Map<string, AuditSample>();
  const drawn = new Map<string, Extraction[]>();
  const verdicts = new Map<string, { verdict: AuditVerdict; actor: string; judgedAt: number }>();
  const nameOf = ({ key, run }: { key: string; run: number }) => `${key}/${run}`;
  const asked = (filter: ReportFilter) =>
    memory.rows
      .filter((row) => fits(row, filter, memory.attemptsOf(row)))
      .sort((one, other) => one.startedAt - other.startedAt);
  const itemsOf = (id: string): AuditItem[] =>
    (drawn.get(id) ?? []).map(({ key, run, tenant, specId, promptVersion, attempts, fileName }) => ({
      ...{ key, run, tenant, specId, promptVersion, attempt: attempts, fileName },
      ...(verdicts.get(nameOf({ key, run })) ?? { verdict: null, actor: null, judgedAt: null }),
    }));
  const counted = (sample: AuditSample): AuditSample => {
    const of = (verdict: AuditVerdict) =>
      itemsOf(sample.id).filter((item) => item.verdict === verdict).length;
    return { ...sample, right: of('right'), wrong: of('wrong') };
  };
  return {
    reports: {
      extent: async (filter) => {
        const rows = asked(filter);
        return {
          documents: new Set(rows.map(({ key }) => key)).size,
          runs: rows.length,
          firstAt: rows[0]?.startedAt ?? null,
          lastAt: rows.at(-1)?.startedAt ?? null,
          specIds: [...new Set(rows.map(({ specId }) => specId))].sort(),
        };
      },
      runs: async function* (filter) {
        for (const row of asked(filter)) yield [toDocument(row, memory.attemptsOf(row), memory.callsOf(row))];
      },
      verdicts: async (filter) => {
        const tally = new Map<string, AttemptVerdicts>();
        for (const row of asked(filter)) {
          const sampled = [...memory.reviews.tasks.values()].find(
            ({ kind, state, key, run }) =>
              kind === 'sample' && state === 'decided' && key === row.key && run === row.run,
          );
          const wrong =
            verdicts.get(nameOf(row))?.verdict ??
            (sampled && (sampled.verdict === 'approve' ? 'right' : 'wrong'));
          if (wrong === undefined || row.outcome !== 'verified') continue;
          const of = `${row.specId} ${row.attempts}`;
          const { decided = 0, defects = 0 } = tally.get(of) ?? {};
          tally.set(of, {
            ...{ specId: row.specId, attempt: row.attempts },
            decided: decided + 1,
            defects: defects + (wrong === 'wrong' ? 1 : 0),
          });
        }
        return [...tally].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, verdicts]) => verdicts);
      },
    },
    // Keeps none: whoever reads gets rows.
    folds: {
      read: async function* (selection, since) {
        for (const row of asked({ ...selection, since }))
          yield { runs: [toDocument(row, memory.attemptsOf(row), memory.callsOf(row))] };
      },
      missing: async () => [],
      keep: async () => undefined,
      keepDays: async () => undefined,
      forget: async () => undefined,
    },
    audits: {
      draw: async ({ id, seed, size, filter, at }) => {
        if (!samples.has(id)) {
          const runs = asked(filter).filter(
            ({ outcome, erasedAt }) => outcome === 'verified' && erasedAt === null,
          );
          drawn.set(id, runs.slice(0, size));
          samples.set(id, {
            id,
            seed,
            size,
            filter,
            drawnAt: at,
            drawn: Math.min(size, runs.length),
            right: 0,
            wrong: 0,
          });
        }
        return counted(samples.get(id) as AuditSample);
      },
      find: async (id) => {
        const found = byPrefix([...samples.values()], id, (sample) => sample.id);
        return found === null ? null : counted(found);
      },
      list: async ({ tenant }, page) =>
        pageOf(
          [...samples.values()]
            .reverse()
            .filter(({ filter }) => tenant === undefined || filter.tenant === tenant)
            .map(counted),
          page,
        ),
      items: async (id) => itemsOf(id),
      judge: async ({ key, tenant, verdict, actor, at }) => {
        const rows = [...drawn.values()]
          .flat()
          .filter((row) => tenant === undefined || row.tenant === tenant);
        const keys = [...new Set(rows.map((row) => row.key))].filter((each) => each.startsWith(key));
        const [only, other] = keys;
        if (only === undefined) return { kind: 'not_drawn' };
        if (other !== undefined) return { kind: 'ambiguous' };
        const name = nameOf({ key: only, run: memory.rows.findLast((row) => row.key === only)?.run ?? 1 });
        const before = verdicts.get(name)?.verdict ?? null;
        if (before !== verdict) verdicts.set(name, { verdict, actor, judgedAt: at });
        return {
          kind: 'judged',
          key: only,
          tenant: rows.find((row) => row.key === only)?.tenant ?? '',
          before,
        };
      },
    },
  };
}

function fits(row: Extraction, filter: ReportFilter, attempts: readonly Attempt[]): boolean {
  const { specId, promptVersion, failureClass, since = 0, until = Number.POSITIVE_INFINITY } = filter;
  const isOf = <T>(wanted: T | undefined, value: T) => wanted === undefined || wanted === value;
  return (
    isOf(specId, row.specId) &&
    isOf(promptVersion, row.promptVersion) &&
    isOfTenant(row.tenant, filter) &&
    row.startedAt >= since &&
    row.startedAt < until &&
    (failureClass === undefined ||
      attempts.some(
        ({ report: { result } }) => result.kind === 'rejected' && result.failureClass === failureClass,
      ))
  );
}

function toDocument(row: Extraction, attempts: readonly Attempt[], calls: readonly Call[]): DocumentRow {
  const rest = calls.filter(({ attempt }) => attempt > attempts.length);
  return {
    specId: row.specId,
    startedAt: row.startedAt,
    endedAt: row.closedAt,
    deadlineAt: row.deadlineAt,
    attemptCap: row.policy.attemptCap,
    reason: row.reason,
    route: row.route,
    attempts: attempts.map((attempt) => toAttempt(row, attempt)),
    unanswered: rest.length === 0 ? null : spentOn(rest),
  };
}

function toAttempt(row: Extraction, { report, at }: Attempt): AttemptRow {
  const { result, durationMs, calls, tokens, cost, maxTokens, usage } = report;
  const isRejected = result.kind === 'rejected';
  const known = usage === 'unknown' ? null : usage;
  return {
    accepted: !isRejected && row.outcome === 'verified',
    failureClass: isRejected ? result.failureClass : null,
    rules: isRejected ? result.problems.map(({ rule }) => rule) : [],
    ...{
      startedAt: at - durationMs,
      endedAt: at,
      durationMs,
      busyMs: durationMs,
      onWire: [[at - durationMs, at]],
      calls,
      failedCalls: calls - 1,
    },
    ...{ tokens, cost, maxTokens },
    inputTokens: known?.inputTokens ?? null,
    outputTokens: known?.outputTokens ?? null,
  };
}

function spentOn(calls: readonly Call[]): UnansweredRow {
  const last = calls.at(-1);
  const [cost = { amount: '0', currency: 'USD' }] = calls.reduce<ReturnType<typeof addCost>>(
    (sum, call) => addCost(sum, call.cost),
    [],
  );
  return {
    startedAt: Math.min(...calls.map(({ startedAt }) => startedAt)),
    busyMs: calls.reduce((sum, { startedAt, endedAt }) => sum + (endedAt ?? startedAt) - startedAt, 0),
    onWire: calls.flatMap(({ startedAt, endedAt }) =>
      endedAt === null ? [] : [[startedAt, endedAt] as const],
    ),
    onWireSince: last?.endedAt === null ? last.startedAt : null,
    calls: calls.length,
    failedCalls: calls.filter(({ state }) => state === 'failed').length,
    tokens: calls.reduce((sum, { tokens }) => sum + tokens, 0),
    cost,
  };
}
