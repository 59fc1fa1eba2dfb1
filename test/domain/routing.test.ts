import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSystemic, reasons } from '../../src/domain/reason.js';
import type { RouteCondition, RoutingFacts } from '../../src/domain/route.js';
import { routeNames } from '../../src/domain/route.js';
import { chooseRoute } from '../../src/domain/routing.js';

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
