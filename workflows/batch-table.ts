import type { BatchProgress } from '../src/domain/batch.js';

/** How a batch fares as a Markdown table for its workflow's current details. */
export function batchTable({ state, documents, cap, count }: BatchProgress): string {
  const {
    waiting = documents,
    underWay = 0,
    verified = 0,
    unverified = {},
    refused = 0,
    tokens = 0,
  } = count ?? {};
  const rows = [
    ['documents', documents],
    ['waiting', waiting],
    ['under way', underWay],
    ['verified', verified],
    ...Object.entries(unverified).map(([reason, number]) => [`unverified: ${reason}`, number]),
    ['refused', refused],
    ['tokens', tokens],
    ['attempt cap', cap === 0 ? 'the budget is gone' : cap],
  ];
  return [`**${state}**`, '', '| | |', '|---|---|']
    .concat(rows.map(([name, value]) => `| ${name} | ${value} |`))
    .join('\n');
}
