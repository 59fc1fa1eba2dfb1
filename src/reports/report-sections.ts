import type { Plan } from '../planner/plan.js';
import { changePlot } from '../plots/change-plot.js';
import { countPlot } from '../plots/count-plot.js';
import { element, escaped } from '../plots/markup.js';
import { count, percent } from '../plots/words.js';
import type { ChangeOfCap } from './cap-change.js';
import { facts, note, section, table } from './page-parts.js';
import { estimated, money } from './page-words.js';
import type { Report } from './report.js';

const half = 548;

export function costSection({ measures: { cost }, reviewer }: Report): string {
  const rows = cost.byAttempt.map((each) => [
    String(each.attempt),
    count(each.recovered),
    estimated(each.recovery),
    estimated(each.net),
    percent(each.ofRecovered),
  ]);
  const tokens = (value: number | null) => (value === null ? '–' : `${count(Math.round(value))} tokens`);
  return section(
    'Recovery and its price',
    'documents whose first attempt was rejected',
    table(['Attempt', 'recovered', 'of those that failed first', 'net', 'of all recovered'], rows),
    facts([
      ['Recovered', `${count(cost.recovered)} of ${count(cost.failedFirst)}: ${estimated(cost.recovery)}`],
      ['All repairs', `${count(cost.repairs)}: ${tokens(cost.repairTokens)}, ${money(cost.repairCost)}`],
      ['For each recovered', `${tokens(cost.tokensPerRecovered)}, ${money(cost.costPerRecovered)}`],
      [
        'A person instead',
        `${reviewer.perReview === null ? 'price not given' : money([reviewer.perReview])}, at ${count(reviewer.reviewsPerHour)} an hour (${reviewer.from})`,
      ],
      ['For each verified, all calls', `${tokens(cost.tokensPerVerified)}, ${money(cost.costPerVerified)}`],
    ]),
  );
}

export function changeSection(change: ChangeOfCap | null, plan: Plan | null): string {
  if (change === null || plan === null) {
    return section(
      'Another cap',
      'planned from these figures',
      note('A cap is planned for one spec with at least two attempts: name a spec.'),
    );
  }
  const [first] = plan.decidedBy;
  const why =
    first === undefined
      ? 'no attempt that was measured crosses a line'
      : `${first.line} decided: ${first.says}`;
  return section(
    `What a cap of ${change.after} would change`,
    'planned from these figures',
    changePlot({
      before: `cap ${change.before}`,
      after: `cap ${change.after}`,
      rows: change.rows,
      width: half,
    }),
    note(`Recommended: cap ${plan.recommended}; ${why}.`),
    note(plan.legend.join(' ')),
    ...plan.warnings.map((warning) => element('p', { class: 'note warn' }, escaped(warning))),
  );
}

export function reasonsSection({ measures: { tally } }: Report): string {
  const rows = tally.reasons.map(({ reason, runs }) => ({ name: reason, count: runs }));
  const classes = tally.classes.map(({ failureClass, attempts }) => ({
    name: failureClass,
    count: attempts,
  }));
  return section(
    `Why ${count(tally.unverified)} stopped`,
    'runs by reason',
    rows.length === 0
      ? note('No run ended unverified.')
      : countPlot({ unit: 'runs', rows, most: 9, width: half }),
    ...(classes.length === 0
      ? []
      : [
          note('Rejected attempts by class:'),
          countPlot({ unit: 'rejected attempts', rows: classes, most: 8, width: half }),
        ]),
  );
}

export function completenessSection({ measures: { completeness: found } }: Report): string {
  return section(
    'Completeness',
    'rows against a printed count or their sum',
    facts([
      ['Whole candidates compared', count(found.compared)],
      ['Complete', estimated(found.complete)],
      ['Do not agree with it', count(found.incomplete)],
      ['Cut off, nothing read of it', count(found.cutOff)],
      ['Documents restored by a repair', count(found.restored)],
      ['Documents that ended without them', count(found.keptOut)],
      ['Documents verified without such a rule', count(found.verifiedUncompared)],
    ]),
  );
}

export function estimatesSection({ measures: { estimates: found } }: Report): string {
  return section(
    'Wrong estimates',
    'of how long an attempt takes',
    facts([
      ['Attempts begun', count(found.begun)],
      ['Too short: wasted', `${count(found.wasted)}, ${count(found.wastedTokens)} tokens`],
      [
        'Too long: refused early',
        `${found.expectedEarly.toFixed(1)} expected of ${count(found.refused)} refused`,
      ],
      ['Deadline passed while waiting', count(found.waitedAway)],
    ]),
  );
}

export function auditsSection({ measures: { audits } }: Report): string {
  const rows = audits.byAttempt.filter(({ decided }) => decided > 0);
  return section(
    'False passes',
    'verified records that people checked',
    rows.length === 0
      ? note('None was checked.')
      : table(
          ['Verified by attempt', 'checked', 'wrong', 'defect rate'],
          [
            ...rows.map((each) => [
              String(each.attempt),
              count(each.decided),
              count(each.defects),
              estimated(each.defectRate),
            ]),
            ['all', count(audits.decided), count(audits.defects), estimated(audits.defectRate)],
          ],
        ),
  );
}
