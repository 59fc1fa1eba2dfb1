import type { ExplainedCase } from '../application/explain-route.js';
import type { RouteCondition, RoutingFacts } from '../domain/route.js';
import type { ConditionName, ExplainedLine, RouteExplanation } from '../domain/routing.js';
import { facts as factLines, table } from './table.js';

/** Where a case goes, with every line of the table and what kept it from deciding. */
export function routeSheet({ table: whose, facts, tried, explanations, went }: ExplainedCase): string {
  const head = factLines([
    ['table', whose],
    [
      'facts',
      Object.keys(shown)
        .map((name) => `${names[name as ConditionName]}: ${factOf(facts, name as ConditionName)}`)
        .join('\n'),
    ],
    ['tried before', tried.length === 0 ? null : tried.join(', ')],
  ]);
  const passes = explanations.map(
    (explanation, pass) =>
      `${pass === 0 ? '' : '\nThe fallback found nothing; again without it:\n'}\n${lineTable(explanation, facts)}${verdict(explanation)}`,
  );
  const last = explanations.at(-1)?.route ?? null;
  const differs = went === null || went === last ? '' : `It really went to ${went}.\n`;
  return head + passes.join('') + differs;
}

function lineTable({ lines, decidedBy }: RouteExplanation, facts: RoutingFacts): string {
  const decided = lines.findIndex(({ taken }) => taken) + 1;
  return table<readonly [number, ExplainedLine]>(
    [
      { title: 'LINE', align: 'right', cell: ([number]) => String(number) },
      { title: 'TO', cell: ([, line]) => line.to },
      {
        title: 'RESULT',
        cell: ([, line]) => {
          if (line.taken) return 'matches: it decides';
          if (line.unmet.length > 0)
            return `does not match: ${line.unmet.map((name) => `${names[name]} is ${factOf(facts, name)}`).join('; ')}`;
          if (line.tried) return 'matches, but was tried before';
          return decidedBy === 'line'
            ? `matches, but line ${decided} comes first`
            : 'matches, but has no say';
        },
      },
      { title: 'WHEN', cell: ([, { when }]) => conditions(when) },
    ],
    lines.map((line, index) => [index + 1, line] as const),
  );
}

function verdict({ route, decidedBy }: RouteExplanation): string {
  switch (decidedBy) {
    case 'cancelled':
      return 'It goes nowhere: a cancelled run is not routed.\n';
    case 'systemic':
      return 'It goes to dead_letter: its reason says nothing about the document, so the table has no say.\n';
    case 'end_of_table':
      return 'It goes to dead_letter: no line is left.\n';
    case 'line':
      return `It goes to ${route}.\n`;
  }
}

/** What each condition looks at. */
const shown: { readonly [Name in ConditionName]-?: (facts: RoutingFacts) => string | null } = {
  reasons: ({ reason, repliesRead }) => `${reason}${repliesRead === 0 ? ' before any reply was read' : ''}`,
  failureClasses: ({ failureClass }) => failureClass,
  templateRecognised: ({ templateRecognised }) => yesNo(templateRecognised),
  hasCandidate: ({ hasCandidate }) => yesNo(hasCandidate),
  amountAtLeast: ({ amount }) => (amount === null ? null : `${amount.amount} ${amount.currency}`),
  pagesAtLeast: ({ pages }) => (pages === null ? null : String(pages)),
  tenants: ({ tenant }) => tenant,
  tags: ({ tags }) => (tags.length === 0 ? null : tags.join(', ')),
};

const names: { readonly [Name in ConditionName]-?: string } = {
  reasons: 'reason',
  failureClasses: 'class',
  templateRecognised: 'template recognised',
  hasCandidate: 'candidate',
  amountAtLeast: 'amount',
  pagesAtLeast: 'pages',
  tenants: 'tenant',
  tags: 'tags',
};

function factOf(facts: RoutingFacts, name: ConditionName): string {
  return shown[name](facts) ?? 'none';
}

function conditions(when: RouteCondition): string {
  const { amountAtLeast: amount, pagesAtLeast: pages } = when;
  const parts = [
    amongst('reason', when.reasons),
    amongst('class', when.failureClasses),
    when.templateRecognised === undefined ? null : `template recognised: ${yesNo(when.templateRecognised)}`,
    when.hasCandidate === undefined ? null : `candidate: ${yesNo(when.hasCandidate)}`,
    amount === undefined ? null : `amount at least ${amount.amount} ${amount.currency}`,
    pages === undefined ? null : `pages at least ${pages}`,
    amongst('tenant', when.tenants),
    amongst('tag', when.tags),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'always' : parts.join('; ');
}

function amongst(name: string, words: readonly string[] | undefined): string | null {
  return words === undefined ? null : `${name} in ${words.join(', ')}`;
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
