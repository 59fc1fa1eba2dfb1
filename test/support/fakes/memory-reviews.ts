import type {
  NewReviewEvent,
  ReviewEvent,
  ReviewStore,
  ReviewTask,
} from '../../../src/ports/review-store.js';
import { byPrefix, pageOf, unused } from './memory-page.js';

export interface MemoryReviews extends ReviewStore {
  readonly tasks: Map<string, ReviewTask>;
  readonly stored: ReviewEvent[];
}

export function createMemoryReviews(): MemoryReviews {
  const tasks = new Map<string, ReviewTask>();
  const stored: ReviewEvent[] = [];
  return {
    tasks,
    stored,
    find: async (id) => {
      const all = [...tasks.values()];
      return byPrefix(all, id, (task) => task.subject) ?? byPrefix(all, id, (task) => task.key);
    },
    list: async (filter, page) =>
      pageOf(
        [...tasks.values()].filter(
          (task) =>
            task.state === (filter.state ?? 'open') &&
            (filter.tenant === undefined || task.tenant === filter.tenant) &&
            (filter.specId === undefined || task.specId === filter.specId),
        ),
        page,
      ),
    claim: async (subject, holder, leaseMs, at) => {
      const task = tasks.get(subject);
      if (task === undefined || task.state !== 'open') return { kind: 'not_open' };
      const { holder: other, leaseExpiresAt } = task;
      if (other !== null && other !== holder && leaseExpiresAt !== null && leaseExpiresAt > at) {
        return { kind: 'held', holder: other, leaseExpiresAt };
      }
      const claimed = { ...task, holder, leaseExpiresAt: at + leaseMs };
      tasks.set(subject, claimed);
      return { kind: 'claimed', task: claimed };
    },
    release: async (subject, holder) => {
      const task = tasks.get(subject);
      if (task === undefined || task.holder !== holder) return false;
      tasks.set(subject, { ...task, holder: null, leaseExpiresAt: null });
      return true;
    },
    addEvent: async (event: NewReviewEvent) => {
      const eventId = `event-${stored.length + 1}`;
      stored.push({ ...event, eventId, original: null });
      return eventId;
    },
    event: async (eventId) => stored.find((event) => event.eventId === eventId) ?? null,
    events: async (subject) => stored.filter((event) => event.subject === subject),
    apply: unused('apply'),
    markEscalated: unused('markEscalated'),
  };
}
