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

describe('the burn of a batch', () => {
  it('runs towards its budget, and on as fast as so far to what is projected', () => {
    const svg = burnPlot(plot);
    // 3,000 in 4 minutes leaves 4 minutes for the other 3,000: 8 minutes on 400 px, 6,000 tokens on 200 px.
    expect(paths(svg, 'plot-series')).toEqual(['M52 216L152 182.7L252 116L252 116']);
    expect(paths(svg, 'plot-beyond')).toEqual(['M252 116L452 16']);
    // The budget of 4,000 stands at two thirds.
    expect(svg).toContain('<line x1="52" y1="82.7" x2="452" y2="82.7" class="plot-endstop"/>');
    expect(svg).toContain('budget 4 k');
  });

  it('shows the cap that held meanwhile, and says all of it in words', () => {
    const svg = burnPlot(plot);
    const strips = [...svg.matchAll(/<rect x="([\d.]+)" y="236" width="([\d.]+)"/g)].map(([, x, wide]) => [
      x,
      wide,
    ]);
    expect(strips).toEqual([
      ['52', '149'],
      ['202', '49'],
    ]);
    expect(svg).toContain(
      'aria-label="3,000 tokens burnt of 4,000, 6,000 projected. The attempt cap was 3, then 2."',
    );
  });

  it('draws no further than two times what has passed, and nothing beyond an end', () => {
    // It would take 36 minutes more: 8 are drawn, in which 6,000 are burnt.
    const [beyond] = paths(burnPlot({ ...plot, projected: 30_000 }), 'plot-beyond');
    expect(beyond).toBe('M185.3 149.3L452 16');
    expect(paths(burnPlot({ ...plot, projected: null }), 'plot-beyond')).toEqual([]);
    expect(burnPlot({ ...plot, marks: [], budget: null, projected: null })).toContain(
      '0 tokens burnt, without a budget. The attempt cap',
    );
  });
});
