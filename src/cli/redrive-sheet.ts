import type { RedriveReport } from '../domain/redrive.js';
import { facts } from './table.js';
import { type Colour, paint, type Terminal } from './terminal.js';

const colours: Record<RedriveReport['state'], Colour> = {
  running: 'dim',
  finished: 'green',
  cancelled: 'yellow',
  stopped: 'red',
};

/** What a redrive came to. Lines that count nothing are left out where the rest says the same. */
export function redriveSheet(terminal: Terminal, report: RedriveReport, engineUrl: string | null): string {
  const some = (count: number) => (count === 0 ? null : String(count));
  const reasons = Object.entries(report.returnedBy).sort(([, left], [, right]) => right - left);
  return facts([
    ['redrive', report.id],
    ['state', paint(terminal, colours[report.state], report.state)],
    ['parked', `${report.parked} when it began`],
    ['selected', String(report.selected)],
    ['started', String(report.started)],
    ['attached', some(report.attached)],
    ['recovered', String(report.recovered)],
    ['returned', String(report.returned)],
    ...reasons.map(([reason, count]) => [`  ${reason}`, String(count)] as const),
    ['already verified', some(report.alreadyVerified)],
    ['taken', some(report.taken)],
    ['refused', some(report.refused)],
    ['under way', some(report.underWay)],
    ['engine', engineUrl],
  ]);
}

/** What the counts do not say by themselves; one sentence a line. */
export function redriveRemarks(report: RedriveReport): readonly string[] {
  const { id, state, parked, selected, taken, refused, underWay } = report;
  const remarks: string[] = [];
  if (state === 'finished' && selected === 0 && parked > 0) {
    remarks.push('This redrive has run them before; give it a --name to run them once more.');
  }
  if (taken > 0) remarks.push(`${taken} were taken by another redrive meanwhile.`);
  if (refused > 0) {
    remarks.push(
      `${refused} stay parked: the workers do not know the spec version they would run under, or their logs say why.`,
    );
  }
  if (state === 'cancelled' && underWay > 0) remarks.push(`${underWay} runs go on by themselves.`);
  if (state === 'stopped') remarks.push('It was ended from outside; the same command goes on with it.');
  if (state === 'running') remarks.push(`It goes on by itself: endstop redrive status ${id}`);
  return remarks;
}
