import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureClasses } from '../../src/domain/failure-class.js';
import { isSystemic, reasons } from '../../src/domain/reason.js';
import type { Route, RouteCondition, RoutingFacts } from '../../src/domain/route.js';
import { routeNames } from '../../src/domain/route.js';
import { chooseRoute, explainRoute } from '../../src/domain/routing.js';

function facts(over: Partial<RoutingFacts> = {}): RoutingFacts {
  return {
    reason: 'attempt_cap',
    failureClass: 'constraint',
    repliesRead: 3,
    amount: { amount: '1204.375', currency: 'BHD' },
    templateRecognised: true,
    hasCandidate: true,
    tenant: 'acme',
    tags: ['urgent', 'motor'],
    pages: 4,
    ...over,
  };
}

const matches = (when: RouteCondition, over: Partial<RoutingFacts> = {}) =>
  chooseRoute([{ to: 'human_review', when }], facts(over), []) === 'human_review';

describe('the routing table', () => {
  test('is read in order: the first line that matches wins', () => {
    const routes = [
      { to: 'fallback', when: { templateRecognised: true } },
      { to: 'human_review' },
      { to: 'best_effort' },
    ] as const;
    expect(chooseRoute(routes, facts(), [])).toBe('fallback');
    expect(chooseRoute(routes, facts({ templateRecognised: false }), [])).toBe('human_review');
  });

  test('ends in dead letter', () => {
    expect(chooseRoute([], facts(), [])).toBe('dead_letter');
    expect(chooseRoute([{ to: 'fallback', when: { tenants: ['other'] } }], facts(), [])).toBe('dead_letter');
  });

  test('skips what was tried already, and a table that was tried through ends in dead letter', () => {
    const routes = [{ to: 'fallback' }, { to: 'human_review' }] as const;
    expect(chooseRoute(routes, facts(), ['fallback'])).toBe('human_review');
    expect(chooseRoute(routes, facts(), ['fallback', 'human_review'])).toBe('dead_letter');
  });

  test('may send to dead letter before other lines', () => {
    expect(chooseRoute([{ to: 'dead_letter' }, { to: 'human_review' }], facts(), [])).toBe('dead_letter');
  });
});

describe('a table that was stored with a route that there is not', () => {
  test('leads to dead letter where that line decides, and nowhere else', () => {
    const routes: readonly Route[] = [
      { to: 'human_reveiw' as never, when: { hasCandidate: true } },
      { to: 'best_effort' },
    ];
    expect(chooseRoute(routes, facts(), [])).toBe('dead_letter');
    expect(explainRoute(routes, facts(), [])).toMatchObject({ route: 'dead_letter', decidedBy: 'line' });
    expect(chooseRoute(routes, facts({ hasCandidate: false }), [])).toBe('best_effort');
  });
});

describe('what the table has no say in', () => {
  const everything = [{ to: 'human_review' }] as const;

  test('a cancelled run goes nowhere', () => {
    expect(chooseRoute(everything, facts({ reason: 'cancelled' }), [])).toBeNull();
  });

  test.each(reasons.filter((reason) => isSystemic(reason, 3)))(
    '%s goes to dead letter, never to a person',
    (reason) => {
      expect(chooseRoute(everything, facts({ reason }), [])).toBe('dead_letter');
    },
  );

  test('the systemic reasons are these', () => {
    expect(reasons.filter((reason) => isSystemic(reason, 3))).toEqual([
      'repair_budget',
      'verifier_fault',
      'no_capacity',
      'provider_unavailable',
      'provider_rejected',
      'spec_unavailable',
      'store_unavailable',
      'internal_error',
      'batch_budget',
    ]);
  });

  test('a deadline is about the document only once a reply was read', () => {
    expect(chooseRoute(everything, facts({ reason: 'deadline', repliesRead: 0 }), [])).toBe('dead_letter');
    expect(chooseRoute(everything, facts({ reason: 'deadline', repliesRead: 1 }), [])).toBe('human_review');
  });
});

describe('a condition', () => {
  test('on the reason or the class holds for any of those listed', () => {
    expect(matches({ reasons: ['refusal', 'attempt_cap'] })).toBe(true);
    expect(matches({ reasons: ['refusal'] })).toBe(false);
    expect(matches({ failureClasses: ['schema', 'constraint'] })).toBe(true);
    expect(matches({ failureClasses: ['schema'] })).toBe(false);
    expect(matches({ failureClasses: ['schema'] }, { failureClass: null })).toBe(false);
  });

  test('on tenants and tags holds for any of those listed', () => {
    expect(matches({ tenants: ['acme'] })).toBe(true);
    expect(matches({ tenants: ['other'] })).toBe(false);
    expect(matches({ tags: ['marine', 'motor'] })).toBe(true);
    expect(matches({ tags: ['marine'] })).toBe(false);
    expect(matches({ tags: [] })).toBe(false);
  });

  test('on template or candidate may ask for yes or for no', () => {
    expect(matches({ templateRecognised: false })).toBe(false);
    expect(matches({ templateRecognised: false }, { templateRecognised: false })).toBe(true);
    expect(matches({ hasCandidate: true }, { hasCandidate: false })).toBe(false);
    expect(matches({ hasCandidate: false }, { hasCandidate: false })).toBe(true);
  });

  test('on pages holds from that many on, and not when the count is unknown', () => {
    expect(matches({ pagesAtLeast: 4 })).toBe(true);
    expect(matches({ pagesAtLeast: 5 })).toBe(false);
    expect(matches({ pagesAtLeast: 0 }, { pages: null })).toBe(false);
  });

  test('on the amount holds from exactly that value on, in that currency only', () => {
    const amountAtLeast = { amount: '1204.375', currency: 'BHD' };
    const at = (amount: string, currency = 'BHD') =>
      matches({ amountAtLeast }, { amount: { amount, currency } });
    expect(at('1204.3750')).toBe(true);
    expect(at('1204.3749999999999999999')).toBe(false);
    expect(at('-5000')).toBe(false);
    expect(at('99999', 'USD')).toBe(false);
    expect(matches({ amountAtLeast }, { amount: null })).toBe(false);
  });

  test('on the amount does not hold for a text that is no number, since nobody verified it', () => {
    const amountAtLeast = { amount: '0', currency: 'BHD' };
    expect(matches({ amountAtLeast }, { amount: { amount: '1.204,37', currency: 'BHD' } })).toBe(false);
  });

  test('beside others holds only when all of them do', () => {
    expect(matches({ tenants: ['acme'], hasCandidate: true, pagesAtLeast: 2 })).toBe(true);
    expect(matches({ tenants: ['acme'], hasCandidate: true, pagesAtLeast: 9 })).toBe(false);
  });
});

test('no reason is left without an answer', () => {
  const route = fc.record({ to: fc.constantFrom(...routeNames) });
  fc.assert(
    fc.property(
      fc.constantFrom(...reasons),
      fc.array(route),
      fc.subarray([...routeNames]),
      fc.nat(3),
      (reason, routes, tried, repliesRead) => {
        const chosen = chooseRoute(routes, facts({ reason, repliesRead }), tried);
        if (reason === 'cancelled') expect(chosen).toBeNull();
        else expect(chosen === 'dead_letter' || !tried.includes(chosen ?? 'dead_letter')).toBe(true);
      },
    ),
  );
});

describe('an explanation', () => {
  const routes: readonly Route[] = [
    { to: 'human_review', when: { reasons: ['refusal'], hasCandidate: true, tenants: ['other'] } },
    { to: 'fallback', when: { templateRecognised: true } },
    { to: 'best_effort' },
  ];

  test('names the line that decides, and of the others which of their conditions do not hold', () => {
    expect(explainRoute(routes, facts(), [])).toEqual({
      route: 'fallback',
      decidedBy: 'line',
      lines: [
        { ...routes[0], unmet: ['reasons', 'tenants'], tried: false, taken: false },
        { ...routes[1], unmet: [], tried: false, taken: true },
        { to: 'best_effort', when: {}, unmet: [], tried: false, taken: false },
      ],
    });
  });

  test('says what was tried before', () => {
    const { route, lines } = explainRoute(routes, facts(), ['fallback']);
    expect(route).toBe('best_effort');
    expect(lines.map(({ tried, taken }) => [tried, taken])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test.each([
    ['cancelled', { reason: 'cancelled' as const }, null],
    ['systemic', { reason: 'internal_error' as const }, 'dead_letter'],
    ['systemic', { reason: 'deadline' as const, repliesRead: 0 }, 'dead_letter'],
  ])('says that the table has no say: %s', (decidedBy, over, route) => {
    const explained = explainRoute(routes, facts(over), []);
    expect(explained).toMatchObject({ decidedBy, route });
    expect(explained.lines.map(({ taken }) => taken)).toEqual([false, false, false]);
  });

  test('says that the table ended', () => {
    expect(explainRoute(routes.slice(0, 1), facts(), [])).toMatchObject({
      decidedBy: 'end_of_table',
      route: 'dead_letter',
    });
  });

  const amount = fc.record({
    amount: fc.constantFrom('1', '1.00', '2', '-3', 'much'),
    currency: fc.constantFrom('EUR', 'BHD'),
  });
  const threshold = fc.record({
    amount: fc.constantFrom('1', '2.5'),
    currency: fc.constantFrom('EUR', 'BHD'),
  });
  const word = fc.constantFrom('a', 'b', 'c');
  const words = fc.array(word, { maxLength: 2 });
  const when: fc.Arbitrary<RouteCondition> = fc.record(
    {
      reasons: fc.subarray([...reasons]),
      failureClasses: fc.subarray([...failureClasses]),
      amountAtLeast: threshold,
      templateRecognised: fc.boolean(),
      hasCandidate: fc.boolean(),
      tenants: words,
      tags: words,
      pagesAtLeast: fc.nat(3),
    },
    { requiredKeys: [] },
  );
  const route: fc.Arbitrary<Route> = fc.oneof(
    fc.record({ to: fc.constantFrom(...routeNames), when }),
    fc.record({ to: fc.constantFrom(...routeNames) }),
  );
  const anyFacts: fc.Arbitrary<RoutingFacts> = fc.record({
    reason: fc.constantFrom(...reasons),
    failureClass: fc.option(fc.constantFrom(...failureClasses)),
    repliesRead: fc.nat(3),
    amount: fc.option(amount),
    templateRecognised: fc.boolean(),
    hasCandidate: fc.boolean(),
    tenant: word,
    tags: words,
    pages: fc.option(fc.nat(3)),
  });

  test('comes to the same as the choice, for all tables and facts, and its lines bear it out', () => {
    fc.assert(
      fc.property(
        fc.array(route, { maxLength: 6 }),
        anyFacts,
        fc.subarray([...routeNames]),
        (table, known, tried) => {
          const explained = explainRoute(table, known, tried);
          expect(explained.route).toBe(chooseRoute(table, known, tried));
          const takable = explained.lines.filter((line) => line.unmet.length === 0 && !line.tried);
          const taken = explained.lines.filter((line) => line.taken);
          expect(taken).toEqual(explained.decidedBy === 'line' ? takable.slice(0, 1) : []);
          if (explained.decidedBy === 'end_of_table') expect(takable).toEqual([]);
          // Each line alone, with nothing tried, goes where its unmet conditions say.
          for (const { to, when: conditions, unmet } of explained.lines) {
            if (explained.decidedBy === 'cancelled' || explained.decidedBy === 'systemic') break;
            const alone = chooseRoute([{ to: 'fallback', when: conditions }], known, []);
            expect([to, alone]).toEqual([to, unmet.length === 0 ? 'fallback' : 'dead_letter']);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
