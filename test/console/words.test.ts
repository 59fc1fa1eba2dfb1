import { describe, expect, it } from 'vitest';
import type { FieldReading } from '../../src/application/review-fields.js';
import { evidenceContext } from '../../src/console/evidence-context.js';
import { landings, larger } from '../../src/console/pages/overview-outcomes.js';
import { spelled } from '../../src/console/parts/format.js';
import { routeWord, signOfRoute } from '../../src/console/parts/marks.js';

describe('what pages say', () => {
  it('counts every exhausted run once: on its route, on one that is not known, or nowhere', () => {
    const routes = [
      { route: 'dead_letter', runs: 11 },
      { route: 'human_review', runs: 8 },
      { route: 'legal' as 'fallback', runs: 2 },
    ] as const;
    expect(landings({ unverified: 22, routes })).toEqual([
      { route: 'human_review', runs: 8 },
      { route: 'dead_letter', runs: 11 },
      { route: 'legal', runs: 2 },
      { route: null, runs: 1 },
    ]);
    expect(landings({ unverified: 8, routes: routes.slice(1, 2) })).toEqual([
      { route: 'human_review', runs: 8 },
    ]);
    expect([routeWord('legal'), signOfRoute('legal')]).toEqual(['Nowhere: unknown route legal', 'cancelled']);
  });

  it('says by how much a part is drawn larger only where it is', () => {
    const said = [
      [15, 15],
      [15, 14.9],
      [15, 2],
      [12_000, 720],
    ].map(([whole = 0, part = 0]) => larger(whole, part));
    expect(said).toEqual(['', '', '; drawn 7.5 times larger', '; drawn 17 times larger']);
  });

  it('calls fields of an unknown spec by what their pointers say', () => {
    expect(spelled('/line_items/0/amount')).toBe('Line items 1 amount');
    expect(spelled('')).toBe('');
  });

  it('tells a value that is printed from what an earlier attempt read in its place', () => {
    const text = { pages: ['Rye bread\nTotal: 8.32\n'] };
    const place = { pointer: '/total', page: 1, start: 17, end: 21, printed: '8.32' };
    const field: FieldReading = {
      ...{ pointer: '/total', title: 'Total', state: 'value', value: '8.03', ungrounded: false },
      ...{ evidence: [], unmet: ['printed/total'] },
    };
    expect(evidenceContext(text, [field], [place])).toMatchObject({ printed: '8.32', isEarlier: true });
    const found = { ...field, value: '8.32', evidence: [place] };
    expect(evidenceContext(text, [found], [place])).toMatchObject({ printed: '8.32', isEarlier: false });
    expect(evidenceContext(text, [field], [])).toBeNull();
  });
});
