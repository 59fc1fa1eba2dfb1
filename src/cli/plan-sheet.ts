import type { CapPlan, LaneLoad } from '../planner/cap-plan.js';
import type { Plan } from '../planner/plan.js';
import { price } from './format.js';
import { type Column, table } from './table.js';
import { paint, type Terminal } from './terminal.js';

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const seconds = (ms: number | null) => (ms === null ? '-' : `${(ms / 1_000).toFixed(2)} s`);

/** Nobody said how many documents a day there are, or how many tokens an attempt takes: that is not the same as none. */
const told = (value: number, digits: number) => (value === 0 ? '-' : value.toFixed(digits));

const right = (title: string, cell: (plan: CapPlan) => string): Column<CapPlan> => ({
  title,
  align: 'right',
  cell,
});

/** A plan as three tables: documents and people, capacity, traffic and money. Then what it recommends, and why. */
export function planSheet(terminal: Terminal, plan: Plan): string {
  const cap: Column<CapPlan> = {
    title: 'CAP',
    align: 'right',
    cell: (each) => `${each.cap === plan.recommended ? '> ' : ''}${each.cap}`,
  };
  const documents = [
    cap,
    right('PASS', ({ point }) => percent(point.cumulative)),
    right('OF THOSE LEFT', ({ point }) => percent(point.conditional)),
    right('RESCUED/1000', ({ point }) => point.rescuedPerThousand.toFixed(1)),
    right('RIGHT', ({ rightPerThousand }) => rightPerThousand?.toFixed(1) ?? 'unknown'),
    right('EXHAUSTED', ({ exhaustedShare }) => percent(exhaustedShare)),
    right('A DAY', ({ exhaustedPerDay }) => told(exhaustedPerDay, 0)),
    right('REVIEWER HOURS', ({ reviewerHoursPerDay }) => told(reviewerHoursPerDay, 1)),
    right('P99', ({ p99Ms }) => seconds(p99Ms)),
    right('P99 ADDED', ({ addedP99Ms }) => seconds(addedP99Ms)),
  ];
  const traffic = [
    cap,
    right('CALLS/DOCUMENT', ({ callsPerDocument }) => callsPerDocument.toFixed(3)),
    right('BAD DEPLOY', ({ worstCallsPerDocument }) => `${worstCallsPerDocument}x`),
    right('WITH BUDGET', ({ budgetedCallsPerDocument }) => `${budgetedCallsPerDocument.toFixed(2)}x`),
    right('REPAIRS', ({ repairShare }) => percent(repairShare)),
    right('TOKENS A DAY', ({ tokensPerDay }) => told(tokensPerDay, 0)),
    right('COST A DAY', ({ costPerDay }) => (costPerDay === null ? '-' : price(costPerDay))),
    right('COST/RESCUE', ({ costPerRescue }) => (costPerRescue === null ? '-' : price(costPerRescue))),
    right('REVIEWERS A DAY', ({ reviewerCostPerDay }) =>
      reviewerCostPerDay === null ? '-' : price(reviewerCostPerDay),
    ),
  ];
  return [
    `${table(documents, plan.caps)}${plan.legend.map((line) => `${line}\n`).join('')}`,
    capacity(plan),
    table(traffic, plan.caps),
    verdict(terminal, plan),
  ].join('\n');
}

function capacity(plan: Plan): string {
  const rows = plan.caps.flatMap(lanesOf);
  const isAsked = rows.some(({ lane }) => lane.given === null);
  const says = 'Where THERE is -, BUSY and the waits are those of the slots NEEDED.\n';
  return `${table(capacityColumns(plan), rows)}${isAsked ? says : ''}`;
}

interface LaneRow {
  readonly plan: CapPlan;
  readonly lane: LaneLoad;
}

function lanesOf(plan: CapPlan): readonly LaneRow[] {
  const { pool, first, repair } = plan;
  return [pool, first, ...(repair === null ? [] : [repair])].map((lane) => ({ plan, lane }));
}

function capacityColumns(plan: Plan): readonly Column<LaneRow>[] {
  const lane = (title: string, cell: (lane: LaneLoad) => string): Column<LaneRow> => ({
    title,
    align: 'right',
    cell: (row) => cell(row.lane),
  });
  return [
    {
      title: 'CAP',
      align: 'right',
      cell: (row) => `${row.plan.cap === plan.recommended ? '> ' : ''}${row.plan.cap}`,
    },
    { title: 'SLOTS OF', cell: (row) => row.lane.lane },
    lane('MEAN', ({ serviceMs }) => seconds(serviceMs)),
    lane('LOAD', ({ load }) => load.toFixed(2)),
    lane('AT LEAST', ({ fewestSlots }) => String(fewestSlots)),
    lane('NEEDED', ({ slots }) => String(slots)),
    lane('THERE', ({ given }) => (given === null ? '-' : String(given))),
    lane('BUSY', ({ utilisation }) => percent(utilisation)),
    lane('MEAN WAIT', ({ meanWaitMs }) => (meanWaitMs === null ? 'grows' : seconds(meanWaitMs))),
    lane('P99 WAIT', ({ p99WaitMs }) => (p99WaitMs === null ? 'grows' : seconds(p99WaitMs))),
  ];
}

function verdict(terminal: Terminal, { caps, recommended, decidedBy, warnings }: Plan): string {
  const [first, ...others] = decidedBy;
  const why =
    first === undefined
      ? `no line is crossed by any of the ${caps.length} attempts that are known`
      : `${first.line} decided: ${first.says}`;
  const also = others.map(({ line, says }) => `  also ${line}: ${says}\n`).join('');
  const warned = warnings.map((warning) => `${paint(terminal, 'yellow', warning)}\n`).join('');
  return `${paint(terminal, 'bold', `Cap ${recommended}`)}: ${why}.\n${also}${warned}`;
}
