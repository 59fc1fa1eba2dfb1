import type { ReviewQueue } from '../application/review-queue.js';
import { minute } from './format.js';
import { facts } from './table.js';

/** What waits and what it takes, below a list. An empty queue and one that others hold read differently. */
export function queueFooter(queue: ReviewQueue): string {
  const { open, free, held, overdue, escalated, samples, audit } = queue;
  const counts = [
    `${open} open`,
    `${free} free`,
    `${held} held`,
    ...(overdue === 0 ? [] : [`${overdue} overdue`]),
    ...(escalated === 0 ? [] : [`${escalated} escalated`]),
    ...(samples === 0 ? [] : [`${samples} of a sample`]),
  ];
  const pace = `${round(queue.minutesEach)} min each (${queue.minutesFrom === 'measured' ? 'measured' : 'assumed: too few were measured'})`;
  return facts([
    ['queue', waiting(queue) ?? counts.join(', ')],
    [
      'takes',
      `${round(queue.inflowPerDay)} a day x ${pace} = ${round(queue.hoursPerDay)} reviewer-hours a day`,
    ],
    ['backlog', open === 0 ? null : `${round(queue.backlogHours)} reviewer-hours`],
    ['audit', auditText(audit)],
  ]);
}

/** In words where a number would hide it: nothing to do, or nothing to do yet. */
function waiting({ open, free, nextFreeAt }: ReviewQueue): string | null {
  if (open === 0) return 'nothing is open';
  return free > 0 ? null : `all ${open} open ones are held; the first is free at ${minute(nextFreeAt)}`;
}

function auditText({ decided, defects, defectRate, interval }: ReviewQueue['audit']): string | null {
  if (defectRate === null) return null;
  const bounds = `${percent(interval.low)} to ${percent(interval.high)} %`;
  return `${defects} of ${decided} sampled records were wrong: ${percent(defectRate)} % (${bounds} at 95 %)`;
}

const percent = (share: number) => (100 * share).toFixed(1);

/** Two decimals where they say something. */
function round(value: number): string {
  const scale = value >= 100 ? 1 : value >= 10 ? 10 : 100;
  return String(Math.round(value * scale) / scale);
}
