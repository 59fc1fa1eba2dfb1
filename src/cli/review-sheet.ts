import type { ReviewEventView, ReviewView } from '../application/views/review-view.js';
import { pretty, problemLines } from './extraction-table.js';
import { diagnosisText, price, why } from './format.js';
import { facts, oneLine } from './table.js';
import { paint, type Terminal } from './terminal.js';

/** One review with what a person needs to decide it. */
export function reviewSheet(terminal: Terminal, view: ReviewView): string {
  const title = paint(terminal, 'bold', oneLine(view.fileName ?? view.extractionId.slice(0, 12)));
  return (
    `${title}  ${view.verdict ?? view.state}\n` +
    facts([
      ['review', view.id],
      ['extraction', `${view.extractionId}, run ${view.run}`],
      ['spec', view.spec],
      ['tenant', view.tenant],
      ['amount', view.amount === null ? null : price(view.amount)],
      ['held by', view.holder === null ? null : `${oneLine(view.holder)} until ${view.leaseExpiresAt}`],
      ['due', view.overdue ? `${view.dueAt} (overdue)` : view.dueAt],
      ['reason', why(view)],
      ['diagnosis', view.diagnosis === null ? null : diagnosisText(view.diagnosis)],
      ['unmet', problemLines(view.unmet)],
      ['candidate', view.candidate === null ? 'none was read' : pretty(view.candidate)],
      ['history', view.events.length === 0 ? null : view.events.map(eventLine).join('\n')],
    ])
  );
}

function eventLine(event: ReviewEventView): string {
  const overrides = event.overrides.length === 0 ? '' : `, overriding ${event.overrides.join(', ')}`;
  const note = event.note === null ? '' : `: ${oneLine(event.note)}`;
  return `${event.at} ${oneLine(event.actor)} ${event.verb}${overrides}${note}`;
}
