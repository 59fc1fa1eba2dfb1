import { describe, expect, it } from 'vitest';
import { type BurnPlot, burnPlot } from '../../src/plots/burn-plot.js';

const minute = 60_000;
const plot: BurnPlot = {
  marks: [
    { at: 2 * minute, tokens: 1_000 },
    { at: 4 * minute, tokens: 3_000 },
  ],
  ...{ from: 0, until: 4 * minute, budget: 4_000, projected: 6_000 },
  caps: [
    { at: 0, cap: 3 },
    { at: 3 * minute, cap: 2 },
  ],
  // Room of 400 by 200 between the axes.
  ...{ width: 562, height: 278 },
};
const paths = (svg: string, look: string) =>
  [...svg.matchAll(new RegExp(`<path d="([^"]*)" class="${look}"`, 'g'))].map(([, d]) => d);

const placesOf = (svg: string, words: readonly string[]) =>
  words.map((word) => Number(new RegExp(`y="([\\d.]+)"[^>]*>${word}<`).exec(svg)?.[1]));

describe('the burn of a batch', () => {
  it('runs towards its budget and stops there, however far it is projected to go', () => {
    const svg = burnPlot(plot);
    // 3,000 in 4 minutes leaves 80 s for the last 1,000: 5 min 20 s on 400 px, the budget of 4,000 on 200 px.
    expect(paths(svg, 'plot-series')).toEqual(['M52 216L202 166L352 66L352 66']);
    expect(paths(svg, 'plot-beyond')).toEqual(['M352 66L452 16']);
    expect(svg).toContain('<line x1="52" y1="16" x2="452" y2="16" class="plot-endstop"/>');
    expect(placesOf(svg, ['budget 4 k', 'projected 6 k', 'burnt 3 k'])).toEqual([20, 34, 70]);
  });

  it('that went past its budget, or began before the batch, leaves the drawing on no side', () => {
    const [at] = [-minute];
    const svg = burnPlot({ ...plot, marks: [{ at, tokens: 500 }, ...plot.marks], budget: 2_000 });
    expect(paths(svg, 'plot-series')).toEqual(['M52 216L52 166L252 116L452 16L452 16']);
    expect(paths(svg, 'plot-beyond')).toEqual([]);
    expect(svg).toContain('burnt 3 k');
  });

  it('shows the cap that held meanwhile, and says all of it in words', () => {
    const svg = burnPlot(plot);
    const strips = [...svg.matchAll(/<rect x="([\d.]+)" y="236" width="([\d.]+)"/g)].map(([, x, wide]) => [
      x,
      wide,
    ]);
    expect(strips).toEqual([
      ['52', '224'],
      ['277', '74'],
    ]);
    expect(svg).toContain(
      'aria-label="3,000 tokens burnt of 4,000, 6,000 projected. The attempt cap was 3, then 2."',
    );
  });

  it('draws no further than two times what has passed, and nothing beyond an end', () => {
    // It would take 36 minutes more: 8 are drawn, in which 6,000 are burnt.
    const [beyond] = paths(burnPlot({ ...plot, projected: 30_000, budget: 40_000 }), 'plot-beyond');
    expect(beyond).toBe('M185.3 201L452 171');
    expect(paths(burnPlot({ ...plot, projected: null }), 'plot-beyond')).toEqual([]);
    expect(burnPlot({ ...plot, marks: [], budget: null, projected: null })).toContain(
      '0 tokens burnt, without a budget. The attempt cap',
    );
  });

  it('stands over round hours', () => {
    const [from, until] = [Date.parse('2026-03-01T09:44:10Z'), Date.parse('2026-03-01T14:50:00Z')];
    const marks = [{ at: until, tokens: 10 }];
    const svg = burnPlot({ ...plot, marks, from, until, budget: null, projected: null, width: 1_000 });
    const clocks = [...svg.matchAll(/data-clock="[^"]*"[^>]*>([^<]*)</g)].map(([, clock]) => clock);
    expect(clocks).toEqual(['10:00', '11:00', '12:00', '13:00', '14:00']);
  });
});
