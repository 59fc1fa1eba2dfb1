import type { RedriveReport } from '../src/domain/redrive.js';

/** A redrive's report as a Markdown table for the workflow's current details. */
export function redriveTable(report: RedriveReport): string {
  const reasons = Object.entries(report.returnedBy).map(([reason, count]) => [`returned: ${reason}`, count]);
  const rows = [
    ['parked when it began', report.parked],
    ['selected', report.selected],
    ['started', report.started],
    ['under way elsewhere', report.attached],
    ['recovered', report.recovered],
    ['returned', report.returned],
    ...reasons,
    ['already verified', report.alreadyVerified],
    ['taken by another redrive', report.taken],
    ['refused', report.refused],
    ['under way', report.underWay],
  ];
  return [`**${report.state}**`, '', '| letters | count |', '|---|---|']
    .concat(rows.map(([name, count]) => `| ${name} | ${count} |`))
    .join('\n');
}
