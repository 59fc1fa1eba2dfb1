import type { AttemptReport } from '../src/domain/attempt-report.js';

/** The attempts as a Markdown table for the workflow's current details: ids and counts, never a value. */
export function attemptTable(reports: readonly AttemptReport[]): string {
  const rows = reports.map((report) => {
    const { result } = report;
    const verdict = result.kind === 'accepted' ? 'accepted' : result.failureClass;
    const problems =
      result.kind === 'accepted'
        ? ''
        : result.problems
            .slice(0, 5)
            .map(({ rule, pointer }) => `${rule} ${pointer}`)
            .join(', ');
    return `| ${report.attempt} | ${report.lane} | ${report.model} | ${verdict} | ${problems} | ${report.maxTokens} | ${report.tokens} | ${report.calls} | ${report.durationMs} |`;
  });
  return [
    '| attempt | lane | model | result | problems | ceiling | tokens | calls | ms |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
