import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetPlot } from '../../src/plots/budget-plot.js';
import { changePlot } from '../../src/plots/change-plot.js';
import { roundInstants } from '../../src/plots/clock-axis.js';
import { countPlot } from '../../src/plots/count-plot.js';
import { lanesPlot } from '../../src/plots/lanes-plot.js';
import { latencyPlot } from '../../src/plots/latency-plot.js';
import { escaped } from '../../src/plots/markup.js';
import { palette, paletteStyle } from '../../src/plots/palette.js';
import { apart, logScale, roundTicks, spread, tickBelow } from '../../src/plots/scale.js';
import { plotStyle } from '../../src/plots/style.js';
import { bounds, count, percent, shortTime, time } from '../../src/plots/words.js';
import { yieldPlot } from '../../src/plots/yield-plot.js';

const mark = (attempt: number, share: number, net: number | null = null) => ({
  attempt,
  share,
  low: share - 0.01,
  high: share + 0.01,
  net,
});
const curve = [mark(1, 0.78), mark(2, 0.901), mark(3, 0.938), mark(4, 0.953), mark(5, 0.96)];
const hour = (index: number, p99Ms: number | null = 12_000) => ({
  at: index * 3_600_000,
  name: `${String(index).padStart(2, '0')}:00`,
  documents: 100 + index,
  p50Ms: 2_400,
  p95Ms: 7_000,
  p99Ms,
});
const latency = {
  marks: [hour(0), hour(1), hour(2)],
  openMs: [] as number[],
  deadlineMs: 60_000,
  width: 500,
  height: 260,
};

/** Every y of lines with this class. */
const heights = (svg: string, look: string) =>
  [
    ...svg.matchAll(new RegExp(`<line x1="[^"]*" y1="([^"]*)" x2="[^"]*" y2="[^"]*" class="${look}"/>`, 'g')),
  ].map(([, y]) => Number(y));

/** Elements that are opened and closed in the right order, and every coordinate a number. */
function expectWellFormed(svg: string) {
  const open: string[] = [];
  for (const [, close, name = '', self] of svg.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (self === '/') continue;
    if (close === '/') expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
  expect(svg).not.toMatch(/NaN|Infinity|undefined|null/);
}

describe('the yield plot', () => {
  it('fills what the cap allows, leaves hollow what lies beyond, and says both', () => {
    const svg = yieldPlot({ marks: curve, cap: 3, width: 400, height: 220 });
    expect(svg.match(/class="plot-dot"/g)).toHaveLength(3);
    expect(svg.match(/class="plot-hollow"/g)).toHaveLength(2);
    expect(svg).toContain('plot-shade');
    expect(svg).toContain('after attempt 2 90.1 %, 89.1 to 91.1');
    expect(svg).toContain('The cap is 3.');
    expectWellFormed(svg);
  });

  it('breaks an axis that does not begin at 0, and says where it begins', () => {
    const svg = yieldPlot({ marks: curve, cap: 3, width: 400, height: 220 });
    // The lowest interval ends at 77 %: a line of the grid below that, with room for its label.
    expect(svg).toContain('The cap is 3. The axis begins at 70 %.');
    const broken = /<path d="M34 [\d.]+(L[\d.]+ [\d.]+){5}" class="plot-series-edge"\/>/;
    expect(svg).toMatch(broken);
    const whole = yieldPlot({ marks: [mark(1, 0.04)], cap: 1, width: 400, height: 220 });
    expect(whole).not.toContain('The axis begins');
    expect(whole).not.toMatch(broken);
  });

  it('shades nothing when no attempt lies beyond the cap', () => {
    expect(yieldPlot({ marks: curve, cap: 5, width: 400, height: 220 })).not.toContain('plot-shade');
  });

  it('lets the net of an attempt at the axis stand above it, not on the numbers of the attempts', () => {
    const marks = [mark(1, 0.7), mark(2, 0.8, 0), mark(3, 0.9, 0)];
    const svg = yieldPlot({ marks, cap: 3, width: 400, height: 220 });
    const places = [...svg.matchAll(/<text x="[^"]*" y="([^"]*)"[^>]*>0\.0 net</g)].map(([, y]) => Number(y));
    // The numbers stand at 214, the axis at 196, and "cap 3" at 190.
    expect(places).toEqual([176, 176]);
  });

  it('stands the share net of the audit below the other', () => {
    const svg = yieldPlot({ marks: [mark(1, 0.9, 0.8)], cap: 1, width: 400, height: 220 });
    const [gross, net] = [...svg.matchAll(/<circle cx="[^"]*" cy="([^"]*)"/g)].map(([, y]) => Number(y));
    expect(net).toBeGreaterThan(gross ?? Number.NaN);
    expect(svg).toContain('80.0 net');
  });
});

describe('the latency plot', () => {
  it('draws each open run as a triangle at its age, and counts them', () => {
    const svg = latencyPlot({ ...latency, openMs: [38_200, 21_000] });
    expect(svg.match(/class="plot-open"/g)).toHaveLength(2);
    expect(svg).toContain('>2 open<');
    expect(svg).toContain('>oldest 38.2 s<');
    expectWellFormed(svg);
  });

  it('draws forty triangles at most, and counts all', () => {
    const svg = latencyPlot({ ...latency, openMs: Array.from({ length: 500 }, (_, index) => 1_000 + index) });
    expect(svg.match(/class="plot-open"/g)).toHaveLength(40);
    expect(svg).toContain('>500 open<');
  });

  it('keeps the deadline on top, and a run that passed it above', () => {
    const deadlineOf = (openMs: number[]) => heights(latencyPlot({ ...latency, openMs }), 'plot-endstop')[0];
    expect(deadlineOf([])).toBe(14);
    expect(deadlineOf([600_000])).toBeGreaterThan(14);
  });

  it('breaks a line where a quantile is not known, and says so', () => {
    const svg = latencyPlot({ ...latency, marks: [hour(0), hour(1, null), hour(2, null)] });
    expect(svg).toContain('>p99 unknown<');
    expect(svg).toContain('p99 unknown');
    expect(svg).toMatch(/class="plot-dot-ink"/);
    expectWellFormed(svg);
  });

  it('says in full what the deadline means where there is room for it', () => {
    expect(latencyPlot(latency)).toContain('>deadline: no attempt starts that could not finish before it<');
    expect(latencyPlot({ ...latency, width: 320 })).toContain('>deadline<');
  });

  it('says a month of hours together, and each of two days of them', () => {
    const hours = (length: number) =>
      Array.from({ length }, (_, index) => hour(index, index === 3 ? null : 9_000 + index));
    const month = latencyPlot({ ...latency, marks: hours(720) });
    expect(month).toContain(
      '720 stretches from 00:00 to 719:00 with 330,840 documents, p50 2.4 s to 2.4 s, p95 7.0 s to 7.0 s, p99 9.0 s to 9.7 s.',
    );
    expect(month.match(/<rect/g)).toBeNull();
    expectWellFormed(month);
    expect(latencyPlot({ ...latency, marks: hours(48) }).match(/ documents, p50/g)).toHaveLength(48);
    const unknown = Array.from({ length: 49 }, (_, index) => hour(index, null));
    expect(latencyPlot({ ...latency, marks: unknown })).toContain('p99 unknown');
  });

  it('is drawn without any document and without a deadline', () => {
    const svg = latencyPlot({ ...latency, marks: [], deadlineMs: null });
    expect(svg).toContain('no documents');
    expect(svg).not.toContain('plot-endstop');
    expectWellFormed(svg);
  });
});

describe('the lanes plot', () => {
  const marks = [0, 1, 2].map((at) => ({ at, name: `0${at}:00`, busy: at * 2 }));

  it('lets no lane pass its slots', () => {
    const svg = lanesPlot({
      lanes: [{ name: 'first', slots: 4, peak: 7, marks }],
      width: 500,
      laneHeight: 90,
    });
    const [slots] = heights(svg, 'plot-endstop');
    const steps = [...svg.matchAll(/<path d="([^"]*)" class="plot-series"/g)].flatMap(([, d = '']) =>
      [...d.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y)),
    );
    expect(Math.min(...steps)).toBe(slots);
    expect(svg).toContain('first: 2 busy on average, peak 7 of 4');
    expectWellFormed(svg);
  });

  it('draws no endstop where nobody said how many slots there are', () => {
    const svg = lanesPlot({
      lanes: [{ name: 'first', slots: null, peak: null, marks }],
      width: 500,
      laneHeight: 90,
    });
    expect(svg).not.toContain('plot-endstop');
    // Of instants and means that were drawn it cannot be said that nothing was above them.
    expect(svg).toContain('first: 2 busy on average, highest shown 4.');
  });
});

describe('the other plots', () => {
  it('measure a change row by row, on a scale that begins at 0', () => {
    const svg = changePlot({
      before: 'no cap',
      after: 'cap 3',
      width: 500,
      rows: [
        { name: 'p50', before: 2_400, after: 2_400, beforeText: '2.4 s', afterText: '2.4 s' },
        { name: 'p99', before: 71_000, after: 12_000, beforeText: '71.0 s', afterText: '12.0 s' },
        { name: 'open', before: 4, after: null, beforeText: '4', afterText: 'unknown' },
      ],
    });
    const wide = (look: string) =>
      [...svg.matchAll(new RegExp(`width="([\\d.]+)" height="[\\d.]+" class="${look}"`, 'g'))].map(
        ([, each]) => Number(each),
      );
    const [before, after] = [wide('plot-bar').slice(1), wide('plot-bar-accent').slice(1)];
    expect(before[0]).toBe(after[0]);
    expect((after[1] ?? 0) / (before[1] ?? 1)).toBeCloseTo(12 / 71, 2);
    expect(after[2]).toBe(0);
    expect(svg).toContain('From no cap to cap 3: p50 2.4 s to 2.4 s');
    expectWellFormed(svg);
  });

  it('name the peak of the repair share and stop at the budget', () => {
    const marks = [0.2, null, 0.384, 0.289].map((share, at) => ({ at, name: `t${at}`, share }));
    const svg = budgetPlot({ marks, budget: 0.4, width: 400, height: 200 });
    expect(svg).toContain('>t2 peak 38.4<');
    expect(svg).toContain('>last 28.9 %<');
    expectWellFormed(svg);
    expect(budgetPlot({ marks: [], budget: null, width: 400, height: 200 })).toContain('no primary calls');
  });

  it('sort counts and sum the tail', () => {
    const rows = [3, 1, 2, 9].map((each) => ({ name: `r${each}`, count: each }));
    const svg = countPlot({ unit: 'documents', rows, most: 3, width: 400 });
    expect(svg).toContain('aria-label="15 documents: r9 9, r3 3, 2 others 3."');
    expectWellFormed(svg);
  });

  it('need no script, style attribute, raster or address', () => {
    const svg = latencyPlot(latency) + yieldPlot({ marks: curve, cap: 3, width: 400, height: 220 });
    expect(svg).not.toMatch(/<script|style=|<image|href|https?:/);
    expect(paletteStyle + plotStyle).not.toMatch(/url\(|@import|https?:/);
  });

  it('style every class they use', () => {
    const lane = { name: 'a', slots: 2, peak: 1, marks: [{ at: 0, name: '0', busy: 1 }] };
    const all = [
      latencyPlot({ ...latency, openMs: [1], marks: [hour(0)] }),
      yieldPlot({ marks: curve.map((each) => ({ ...each, net: 0.7 })), cap: 3, width: 400, height: 220 }),
      lanesPlot({ lanes: [lane], width: 300, laneHeight: 80 }),
      changePlot({
        before: 'a',
        after: 'b',
        rows: [{ name: 'c', before: 1, after: 2, beforeText: '1', afterText: '2' }],
        width: 300,
      }),
      budgetPlot({ marks: [{ at: 0, name: '0', share: 0.1 }], budget: 0.2, width: 300, height: 100 }),
      countPlot({ unit: 'u', rows: [{ name: 'a', count: 1 }], most: 2, width: 300 }),
    ].join('');
    const used = new Set([...all.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')));
    for (const each of used) expect(plotStyle).toContain(`.${each}{`);
    const colours = new Set([...plotStyle.matchAll(/var\((--[a-z0-9-]+)\)/g)].map(([, name]) => name));
    for (const each of colours) expect(paletteStyle).toContain(`${each}:`);
  });

  it('let no name out of its text', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const svg = countPlot({ unit: name, rows: [{ name, count: 1 }], most: 2, width: 300 });
        expect(svg.match(/</g)?.length).toBe(
          countPlot({ unit: 'u', rows: [{ name: 'n', count: 1 }], most: 2, width: 300 }).match(/</g)?.length,
        );
      }),
    );
    expect(escaped(`<a b="c" d='&'>`)).toBe('&lt;a b=&quot;c&quot; d=&#39;&amp;&#39;&gt;');
  });
});

describe('scales', () => {
  it('give equal factors equal distances', () => {
    const scale = logScale([1, 100], [0, 200]);
    expect([1, 10, 100, 0].map(scale)).toEqual([0, 100, 200, 0]);
  });

  it('step by round numbers up to what must fit', () => {
    expect(roundTicks(14, 3)).toEqual([0, 5, 10, 15]);
    expect(roundTicks(40, 4)).toEqual([0, 10, 20, 30, 40]);
    expect([0, 999, 60_000, 71_000].map(tickBelow)).toEqual([1, 500, 60_000, 60_000]);
  });

  it('keep labels apart, in order and within the room', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 8 }), (places) => {
        const moved = spread(places, 13, 200);
        const order = places
          .map((_, index) => index)
          .sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
        const sorted = order.map((index) => moved[index] ?? Number.NaN);
        for (const [index, place] of sorted.entries()) {
          expect(place).toBeLessThanOrEqual(200);
          if (index > 0) expect(place - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(13 - 1e-9);
        }
      }),
    );
    expect(apart([0, 10, 46, 50, 95], 46)).toEqual([0, 2, 4]);
  });

  it('name an instant once, however much of the axis lies within its minute', () => {
    const names = ['15:18', '15:18', '15:18', '15:19', '15:19', '15:20'];
    const marks = names.map((name, index) => ({ name, at: index, share: 0.1 }));
    const named = [...budgetPlot({ marks, budget: null, width: 700, height: 200 }).matchAll(/>(15:\d\d)</g)];
    expect(named.map(([, name]) => name)).toEqual(['15:18', '15:19', '15:20']);
  });
});

describe('clock times', () => {
  const hour = 3_600_000;

  it('stand at round instants, in steps that people say', () => {
    expect(roundInstants(1.2 * hour, 5.9 * hour, 6)).toEqual([2, 3, 4, 5].map((each) => each * hour));
    expect(roundInstants(0.5 * hour, 25 * hour, 6)).toEqual([6, 12, 18, 24].map((each) => each * hour));
    expect(roundInstants(hour + 1, hour + 20_000, 6)).toEqual([]);
    expect(roundInstants(0, 40 * 30 * 24 * hour, 40)).toHaveLength(41);
  });

  it('of a drawing over windows need not be those of the windows', () => {
    const marks = [0.2, 0.3].map((share, index) => ({ at: index * hour, name: `w${index}`, share }));
    const ticks = [{ at: 0.5 * hour, name: 'half' }];
    const svg = budgetPlot({ marks, ticks, budget: 0.4, width: 400, height: 200 });
    // Halfway between 34 and 308.
    expect(svg).toContain('<text x="171" y="195" class="plot-text" text-anchor="middle">half</text>');
    expect(svg).not.toContain('>w0<');
  });
});

describe('words', () => {
  it('read as people write them', () => {
    expect([percent(0.78), bounds(0.93, 0.945), count(16_009), count(1.25)]).toEqual([
      '78.0 %',
      '93.0 to 94.5',
      '16,009',
      '1.25',
    ]);
    expect([null, 250, 2_400, 60_000, 71_000, 119_000, 120_000, 5_400_000, 144_000_000].map(time)).toEqual([
      'unknown',
      '250 ms',
      '2.4 s',
      '60.0 s',
      '71.0 s',
      '119 s',
      '2.0 min',
      '90.0 min',
      '40.0 h',
    ]);
    expect([60_000, 500, 2_400].map(shortTime)).toEqual(['60 s', '500 ms', '2.4 s']);
  });
});

describe('the palette', () => {
  const luminance = (colour: string) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);
  const contrast = (one: string, other: string) => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const texts = ['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'person', 'dead', 'fall'] as const;
  const marks = ['edge', 'ok-fill', 'ok-fill-2', 'person-fill', 'dead-fill'] as const;

  it.each([
    ['light', 0],
    ['dark', 1],
  ] as const)('keeps texts at 4.6 and marks at 3 to 1 or more, in the %s', (_, side) => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    const ground = palette.paper[side];
    for (const name of texts) expect(contrast(palette[name][side], ground), name).toBeGreaterThanOrEqual(4.6);
    for (const name of marks) expect(contrast(palette[name][side], ground), name).toBeGreaterThanOrEqual(3);
    for (const wash of ['accent-wash', 'person-wash', 'evidence', 'reading'] as const) {
      expect(contrast(palette.ink[side], palette[wash][side]), wash).toBeGreaterThanOrEqual(4.6);
    }
  });
});
