import type { ReportName } from '../application/views/report-view.js';
import { bounds, count, percent, shortTime, time } from '../plots/words.js';
import type { EstimatedShare } from '../reports/estimated-share.js';
import type { Report } from '../reports/report.js';
import type { MeasuredYield } from '../reports/yield-report.js';
import { price } from './format.js';
import { type Column, facts, table } from './table.js';

/** Lines of the latency report that a sheet shows; all are in JSON and CSV. */
const mostLines = 48;

const minute = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
const or = (value: string | null) => value ?? '-';
const prices = (money: readonly { amount: string; currency: string }[] | null) =>
  money === null || money.length === 0 ? '-' : money.map(price).join(' and ');
const right = <Row>(title: string, cell: (row: Row) => string): Column<Row> => ({
  title,
  align: 'right',
  cell,
});

/** "78.0 % (77.1 to 78.9)"; '-' where there is nothing it could be a share of. */
function estimated({ share, interval }: EstimatedShare): string {
  return share === null ? '-' : `${percent(share)} (${bounds(interval.low, interval.high)})`;
}

/** What the report is of: filters, time, and documents, runs, attempts and calls apart. */
export function reportHead({ filter, at, documents, measures: { tally } }: Report): string {
  const { specId, promptVersion, failureClass, tenant, since, until } = filter;
  const only = [
    ...(specId === undefined ? [] : [`spec ${specId}`]),
    ...(promptVersion === undefined ? [] : [`prompt version ${promptVersion}`]),
    ...(failureClass === undefined ? [] : [`with a ${failureClass} rejection`]),
    ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
  ];
  return facts([
    [
      'runs begun',
      `${since === undefined ? 'at any time' : `${minute(since)} UTC`} to ${minute(until ?? at)} UTC`,
    ],
    ['only', only.length === 0 ? null : only.join(', ')],
    ['documents', `${count(documents)}, in ${count(tally.runs)} runs`],
    [
      'runs',
      `${count(tally.verified)} verified, ${count(tally.unverified)} unverified, ${count(tally.open)} open`,
    ],
    ['attempts', `${count(tally.attempts)}, ${count(tally.unanswered)} without a reply`],
    ['calls', `${count(tally.calls)}, ${count(tally.failedCalls)} failed on the way`],
    ['reasons', or(tally.reasons.map(({ reason, runs }) => `${reason} ${count(runs)}`).join(', ') || null)],
    [
      'rejections',
      or(
        tally.classes.map(({ failureClass, attempts }) => `${failureClass} ${count(attempts)}`).join(', ') ||
          null,
      ),
    ],
  ]);
}

/** Why a column of net shares has a gap. */
const notChecked =
  'NET is not known (-) where nobody checked records that this attempt, or one before it, verified of a spec (endstop audit sample).\n';

const sheets: Readonly<Record<ReportName, (report: Report) => string>> = {
  yield: ({ measures }) => {
    const isAudited = measures.audits.decided > 0;
    const net = [
      right<MeasuredYield>('NET', ({ net }) => estimated(net)),
      right<MeasuredYield>('RESCUED NET', (row) => or(row.netRescuedPerThousand?.toFixed(1) ?? null)),
    ];
    const rows = table<MeasuredYield>(
      [
        right('ATTEMPT', ({ attempt }) => String(attempt)),
        right('MADE', ({ reached }) => count(reached)),
        right('PASSED', ({ passed }) => count(passed)),
        right('OF THOSE', ({ conditional }) => estimated(conditional)),
        right('OF ALL SO FAR', ({ cumulative }) => estimated(cumulative)),
        right('RESCUED/1000', ({ rescuedPerThousand }) => rescuedPerThousand.toFixed(1)),
        ...(isAudited ? net : []),
        right('P99', ({ p99Ms }) => time(p99Ms)),
        right('P99 ADDED', ({ attempt, addedP99Ms }) => (attempt === 1 ? '-' : time(addedP99Ms))),
      ],
      measures.yield,
    );
    if (measures.yield.every(({ passed }) => passed === 0))
      return `${rows}Net of wrong records: none was verified, so none can be wrong.\n`;
    if (!isAudited)
      return `${rows}Net of wrong records: unknown, since none was audited (endstop audit sample).\n`;
    return measures.yield.some(({ net }) => net.share === null) ? `${rows}${notChecked}` : rows;
  },
  latency: ({ measures: { latency } }) => {
    const shown = latency.lines.slice(-mostLines);
    const hidden = latency.lines.length - shown.length;
    const rows = table<(typeof shown)[number]>(
      [
        { title: 'BEGUN FROM (UTC)', cell: ({ from }) => minute(from) },
        right('ENDED', ({ ended }) => count(ended)),
        right('OPEN', ({ open }) => count(open)),
        right('P50', ({ p50Ms }) => time(p50Ms)),
        right('P95', ({ p95Ms }) => time(p95Ms)),
        right('P99', ({ p99Ms }) => time(p99Ms)),
      ],
      shown,
    );
    const { all, openMs } = latency;
    const oldest = openMs[0] === undefined ? '' : `; the oldest open for ${time(openMs[0])}`;
    const counted = `${count(all.open)} open ones counted as longer than so far${oldest}`;
    const sums = `All: p50 ${time(all.p50Ms)}, p95 ${time(all.p95Ms)}, p99 ${time(all.p99Ms)}; ${counted}.\n`;
    return `${rows}${hidden > 0 ? `... and ${hidden} earlier lines (--csv or --json)\n` : ''}${sums}`;
  },
  cost: ({ measures: { cost }, reviewer }) => {
    const rows = table<(typeof cost.byAttempt)[number]>(
      [
        right('ATTEMPT', ({ attempt }) => String(attempt)),
        right('RECOVERED', ({ recovered }) => count(recovered)),
        right('OF THOSE THAT FAILED FIRST', ({ recovery }) => estimated(recovery)),
        right('NET', ({ net }) => estimated(net)),
        right('OF ALL RECOVERED', ({ ofRecovered }) => percent(ofRecovered)),
      ],
      cost.byAttempt,
    );
    const net = estimated(cost.net);
    const pace = `${count(reviewer.reviewsPerHour)} an hour (${reviewer.from})`;
    const person =
      reviewer.perReview === null
        ? `${pace}; --reviewer-cost says what an hour costs`
        : `${price(reviewer.perReview)} at ${pace}`;
    return [
      rows,
      facts([
        [
          'recovered',
          `${count(cost.recovered)} of ${count(cost.failedFirst)} whose first attempt was rejected: ${estimated(cost.recovery)}`,
        ],
        [
          'net',
          net !== '-'
            ? net
            : cost.recovered === 0
              ? 'unknown: no first attempt was rejected, so nothing was recovered'
              : 'unknown: not of every repair that recovered documents were some checked',
        ],
        [
          'repairs',
          `${count(cost.repairs)}, for ${count(cost.repairTokens)} tokens, ${prices(cost.repairCost)}`,
        ],
        [
          'each recovered',
          `${or(cost.tokensPerRecovered === null ? null : `${count(Math.round(cost.tokensPerRecovered))} tokens`)}, ${prices(cost.costPerRecovered)}`,
        ],
        ['a person', person],
        ['all calls', `${count(cost.tokens)} tokens, ${prices(cost.cost)}`],
        [
          'each verified',
          `${or(cost.tokensPerVerified === null ? null : `${count(Math.round(cost.tokensPerVerified))} tokens`)}, ${prices(cost.costPerVerified)}`,
        ],
      ]),
    ].join('');
  },
  completeness: ({ measures: { completeness: found } }) =>
    facts([
      ['compared', `${count(found.compared)} whole candidates with a printed count or a sum of rows`],
      ['complete', `${estimated(found.complete)}; ${count(found.incomplete)} do not agree with it`],
      ['cut off', `${count(found.cutOff)} replies, of which nothing was read`],
      ['restored', `${count(found.restored)} documents got their rows back by a repair`],
      ['kept out', `${count(found.keptOut)} ended unverified without them`],
      [
        'verified',
        `${count(found.verifiedCompared)} with such a rule, ${count(found.verifiedUncompared)} without one`,
      ],
    ]),
  repairs: ({ measures: { repairs } }) =>
    table<(typeof repairs)[number]>(
      [
        { title: 'SPEC', cell: ({ specId }) => specId },
        right('PRIMARY CALLS', ({ primaries }) => count(primaries)),
        right('REPAIRS', (row) => count(row.repairs)),
        right('SHARE', ({ share }) => (share === null ? '-' : percent(share))),
        right('BUDGET', ({ budget }) =>
          budget === null ? 'unknown' : `${percent(budget.share)}, at least ${count(budget.floor)}`,
        ),
        {
          title: 'CLOSEST TO IT',
          cell: ({ tightest, budget }) =>
            tightest === null || budget === null
              ? '-'
              : `${count(tightest.repairs)} of ${count(tightest.allowed)} allowed in ${shortTime(budget.windowMs)} to ${minute(tightest.until)}`,
        },
        right('REFUSED', ({ refused }) => count(refused)),
      ],
      repairs,
    ),
  estimates: ({ measures: { estimates: found } }) =>
    facts([
      ['attempts begun', count(found.begun)],
      [
        'too short',
        `${count(found.wasted)} wasted: begun, and the deadline came first (${count(found.wastedTokens)} tokens)`,
      ],
      [
        'too long',
        `${found.expectedEarly.toFixed(1)} of ${count(found.refused)} refused attempts would have fitted, by how long such attempts took`,
      ],
      ['waited away', `${count(found.waitedAway)} deadlines passed with nothing on the wire`],
    ]),
  audits: ({ measures: { audits } }) =>
    audits.decided === 0
      ? 'No verified record of these runs was checked: endstop audit sample draws some.\n'
      : `${table<(typeof audits.byAttempt)[number]>(
          [
            right('VERIFIED BY ATTEMPT', ({ attempt }) => String(attempt)),
            right('CHECKED', ({ decided }) => count(decided)),
            right('WRONG', ({ defects }) => count(defects)),
            right('DEFECT RATE', ({ defectRate }) => estimated(defectRate)),
          ],
          audits.byAttempt.filter(({ decided }) => decided > 0),
        )}All: ${count(audits.defects)} of ${count(audits.decided)} were wrong: ${estimated(audits.defectRate)}.\n`,
};

const titles: Readonly<Record<ReportName, string>> = {
  yield: 'Yield by attempt; bounds at 95 %',
  latency: 'Time to an outcome, by when runs began',
  cost: 'Recovery, and what it costs',
  completeness: 'Completeness of rows',
  repairs: 'Repairs against their budget',
  estimates: 'Wrong estimates of how long an attempt takes',
  audits: 'False passes: verified records that people checked',
};

/** Some reports as text, under a head that says what they are of. */
export function reportSheet(report: Report, names: readonly ReportName[]): string {
  if (report.measures.tally.runs === 0) return `${reportHead(report)}\nNo run fits these filters.\n`;
  const parts = names.map((name) => {
    const text = sheets[name](report);
    return `${titles[name]}\n${text === '' ? 'None.\n' : text}`;
  });
  return [reportHead(report), ...parts].join('\n');
}
