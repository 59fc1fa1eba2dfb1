import { actOnLease, type LeaseAct, type LeaseStep } from '../../../src/domain/lease.js';
import type {
  Leasing,
  ReviewDecision,
  ReviewDraft,
  ReviewFilter,
  ReviewStep,
  ReviewStore,
  ReviewTask,
} from '../../../src/ports/review-store.js';
import type { SpecLabel } from '../../../src/spec/catalogue.js';
import { byPrefix, isOfTenant, pageOf } from './memory-page.js';

export interface MemoryReviews extends ReviewStore {
  /** By id. */
  readonly tasks: Map<string, ReviewTask>;
  /** Decisions that were asked for. */
  readonly stored: ReviewDecision[];
  /** By review id. */
  readonly trails: Map<string, ReviewStep[]>;
  readonly drafts: Map<string, ReviewDraft>;
  /** What `sampleVerdicts` answers. */
  verdicts: Awaited<ReturnType<ReviewStore['sampleVerdicts']>>;
}

const emptyStep: ReviewStep = {
  ...{ kind: 'opened', actor: null, holder: null, leaseExpiresAt: null, note: null, run: null },
  ...{ version: null, decision: null, at: 0 },
};

export function createMemoryReviews(): MemoryReviews {
  const tasks = new Map<string, ReviewTask>();
  const stored: ReviewDecision[] = [];
  const versions = new Map<string, number>();
  const trails = new Map<string, ReviewStep[]>();
  const drafts = new Map<string, ReviewDraft>();
  const tell = (id: string, step: Partial<ReviewStep>) => {
    trails.set(id, [...(trails.get(id) ?? []), { ...emptyStep, ...step }]);
  };
  const listed = (filter: ReviewFilter) => [...tasks.values()].filter((task) => fits(task, filter));

  const lease = (task: ReviewTask, act: LeaseAct, at: number): Leasing => {
    if (task.state !== 'open') return { kind: 'not_open', task };
    const { holder, leaseExpiresAt: expiresAt } = task;
    const held = holder === null || expiresAt === null ? null : { holder, expiresAt };
    const change = actOnLease(held, act, at);
    for (const step of change.steps) tell(task.id, stepOf(step));
    const after = {
      ...task,
      holder: change.lease?.holder ?? null,
      leaseExpiresAt: change.lease?.expiresAt ?? null,
    };
    tasks.set(task.id, after);
    return { kind: change.granted ? 'granted' : 'refused', task: after };
  };
  const open = (filter: ReviewFilter) => listed(filter).filter(({ state }) => state === 'open');

  const reviews: MemoryReviews = {
    tasks,
    stored,
    trails,
    drafts,
    verdicts: [],
    find: async (id) => {
      const all = [...tasks.values()];
      return byPrefix(all, id, (task) => task.id) ?? byPrefix(all, id, (task) => task.key);
    },
    list: async ({ state = 'open', ...filter }, page) =>
      pageOf(
        listed(filter).filter((task) => task.state === state),
        page,
      ),
    lease: async (id, act, at) => {
      const task = tasks.get(id);
      return task === undefined ? null : lease(task, act, at);
    },
    claimNext: async (filter, actor, leaseMs, at) => {
      const waiting = open(filter);
      const free = waiting.find(({ leaseExpiresAt }) => leaseExpiresAt === null || leaseExpiresAt <= at);
      if (free !== undefined) {
        return { kind: 'claimed', task: lease(free, { kind: 'claim', actor, leaseMs }, at).task };
      }
      if (waiting.length === 0) return { kind: 'none' };
      const nextFreeAt = Math.min(...waiting.map(({ leaseExpiresAt }) => leaseExpiresAt ?? 0));
      return { kind: 'all_held', held: waiting.length, nextFreeAt };
    },
    expireLeases: async (at, id) => {
      const gone = open({}).filter(
        (task) => (task.id === id || id === undefined) && (task.leaseExpiresAt ?? at + 1) <= at,
      );
      for (const task of gone) lease(task, { kind: 'release', actor: '' }, at);
      return gone.length;
    },
    addDecision: async ({ version, ...decision }) => {
      const task = tasks.get(decision.reviewId);
      if (task === undefined) return null;
      if (task.state !== 'open') return { kind: 'not_open', task };
      if (task.version !== version) return { kind: 'changed', task };
      if (task.holder !== null && task.holder !== decision.actor && (task.leaseExpiresAt ?? 0) > decision.at)
        return { kind: 'held', task };
      const eventId = `event-${stored.length + 1}`;
      versions.set(eventId, version);
      stored.push({ ...decision, eventId, subject: task.subject, original: null, appliedAt: null });
      return { kind: 'asked', eventId };
    },
    decision: async (eventId) => stored.find((decision) => decision.eventId === eventId) ?? null,
    steps: async (id) => trails.get(id) ?? [],
    apply: async (eventId, _unmet, _verifierVersion, at) => {
      const decision = stored.find((known) => known.eventId === eventId);
      const task = tasks.get(decision?.reviewId ?? '');
      if (decision === undefined || task === undefined) throw new Error(`No decision ${eventId}.`);
      if (decision.appliedAt !== null) return 'applied';
      if (task.state !== 'open') return 'not_open';
      if (task.version !== versions.get(eventId)) return 'changed';
      const applied = { ...decision, appliedAt: at };
      stored[stored.indexOf(decision)] = applied;
      const { actor, note, verb } = decision;
      const version = task.version + 1;
      tell(task.id, { kind: 'decided', actor, note, version, decision: applied, at: decision.at });
      const settled = { state: 'decided', verdict: verb, decidedAt: at, version } as const;
      tasks.set(task.id, { ...task, ...settled, holder: null, leaseExpiresAt: null });
      drafts.delete(`${task.id} ${actor}`);
      return 'applied';
    },
    markEscalated: async (id, at) => {
      const task = tasks.get(id);
      if (task?.state !== 'open' || task.escalatedAt !== null) return;
      tasks.set(id, { ...task, escalatedAt: at });
      tell(id, { kind: 'escalated', at });
    },
    saveDraft: async (draft) => {
      drafts.set(`${draft.reviewId} ${draft.holder}`, draft);
    },
    draft: async (id, holder) => drafts.get(`${id} ${holder}`) ?? null,
    tally: async (filter, at, since) => {
      const waiting = open(filter);
      const held = waiting.flatMap(({ leaseExpiresAt }) =>
        leaseExpiresAt !== null && leaseExpiresAt > at ? [leaseExpiresAt] : [],
      );
      const opened = listed(filter).map(({ createdAt }) => createdAt);
      const came = opened.filter((createdAt) => createdAt >= since);
      return {
        open: waiting.length,
        held: held.length,
        overdue: waiting.filter(({ dueAt }) => dueAt !== null && dueAt < at).length,
        escalated: waiting.filter(({ escalatedAt }) => escalatedAt !== null).length,
        samples: waiting.filter(({ kind }) => kind === 'sample').length,
        nextFreeAt: held.length === 0 ? null : Math.min(...held),
        opened: came.length,
        firstOpenedAt: came.length === 0 ? null : Math.min(...came),
        decisions: 0,
        decidingMs: 0,
      };
    },
    sampleVerdicts: async () => reviews.verdicts,
  };
  return reviews;
}

function stepOf(step: LeaseStep): Partial<ReviewStep> {
  return {
    kind: step.kind,
    actor: step.kind === 'expired' ? null : step.actor,
    holder: 'from' in step ? step.from : null,
    leaseExpiresAt: 'expiresAt' in step ? step.expiresAt : null,
    note: step.kind === 'stolen' ? step.reason : null,
    at: step.at,
  };
}

function fits(task: ReviewTask, filter: ReviewFilter): boolean {
  const isLabelled = ({ id, schemaVersion, promptVersion }: SpecLabel) =>
    id === task.specId && schemaVersion === task.schemaVersion && promptVersion === task.promptVersion;
  const { holder, lease, dueBefore, escalated, withEvaluations, specIds, labels, ...columns } = filter;
  if (specIds !== undefined && !specIds.includes(task.specId)) return false;
  if (!isOfTenant(task.tenant, filter)) return false;
  if (labels !== undefined && !labels.some(isLabelled)) return false;
  const same = Object.entries(columns).every(
    ([name, value]) => value === undefined || task[name as keyof typeof columns] === value,
  );
  return (
    same &&
    (holder === undefined || holder === task.holder || holder === task.withdrawn?.from) &&
    (lease === undefined || (lease === 'held') === (task.holder !== null)) &&
    (dueBefore === undefined || (task.dueAt !== null && task.dueAt < dueBefore)) &&
    (escalated === undefined || escalated === (task.escalatedAt !== null))
  );
}
