import { describe, expect, it } from 'vitest';
import { createCommandLine, jsonLines } from './command-line.js';

describe('given ready-made numbers', () => {
  it('when the claims are planned, then cap 3 is recommended, with what decided and the lane that does not fit', async () => {
    const ran = await createCommandLine().run('plan', '--scenario', 'claims');
    expect(ran).toMatchObject({ code: 0, error: '' });
    expect(ran.out).toMatch(/^> 3 +93\.8 % +37\.4 % +37\.0 +37\.0 +6\.2 % +248 +9\.9 +12\.00 s +5\.90 s$/m);
    expect(ran.out).toMatch(/^> 3 +pool +3\.90 s +12\.09 +13 +18 +18 +67\.2 %/m);
    expect(ran.out).toMatch(/^> 3 +first +2\.60 s +8\.06 +9 +12 +14 +57\.6 %/m);
    expect(ran.out).toMatch(/^> 3 +repair +4\.08 s +4\.03 +5 +8 +4 +100\.8 % +grows +grows$/m);
    expect(ran.out).toContain('Cap 3: yield decided: attempt 4 rescues 15.0 per thousand, 7.5 of them right');
    expect(ran.out).toContain('the repair lane would be busy 4.03 of 4');
  });

  it('when month-end is planned, then 162 and 194 slots stand against 160', async () => {
    const ran = await createCommandLine().run('plan', '--scenario', 'month-end');
    expect(ran.out).toMatch(/^ +3 +pool +2\.31 s +161\.35 +162 +167 +160 +100\.8 % +grows/m);
    expect(ran.out).toMatch(/^ +6 +pool +2\.77 s +193\.90 +194/m);
    expect(ran.out).toContain('also capacity: cap 3 keeps 162 slots busy; there are at most 160');
  });

  it('when a flag replaces one number, then only what depends on it changes', async () => {
    const line = createCommandLine();
    const [before] = jsonLines(await line.run('plan', '--scenario', 'claims', '--json'));
    const [after] = jsonLines(await line.run('plan', '--scenario', 'claims', '--slots', '12,8', '--json'));
    expect(after).toMatchObject({ recommended: 3, warnings: [] });
    expect(after?.['input']).toEqual({
      ...(before?.['input'] as object),
      slots: { kind: 'lanes', first: 12, repair: 8 },
    });
  });
});

describe('given numbers as flags', () => {
  it('when nobody says how many arrive, or what is right, then the sheet says what it assumes, and of what BUSY is', async () => {
    const line = createCommandLine();
    const typed = ['plan', '--pass', '80,90', '--seconds', '2'];
    const { out } = await line.run(...typed);
    expect(out).toContain('(--peak): slots, loads and waits are for 1 a second.');
    expect(out).toMatch(/^> 2 +90\.0 % +50\.0 % +100\.0 +unknown/m);
    expect(out).toContain('How many rescues of attempt 2 are right is unknown');
    expect(out).toContain('Where THERE is -, BUSY and the waits are those of the slots NEEDED.');
    expect(out).toContain('no line is crossed by any of the 2 attempts that are known');
    const told = await line.run(...typed, '--peak', '3', '--slots', '9,6', '--wrong', '0,10');
    expect(told.out).not.toMatch(/--peak|unknown|THERE is -/);
    const file = (fields: object) =>
      line.file('p.json', JSON.stringify({ attempts: [{ cumulativePass: 0.8, meanMs: 5 }], ...fields }));
    expect((await line.run('plan', '--from', file({}))).out).toContain('for 1 a second');
    expect((await line.run('plan', '--from', file({ peakPerSecond: 1 }))).out).not.toContain('1 a second');
  });

  it('when a curve, durations and prices are named, then they are planned with', async () => {
    const flags = ['--pass', '80,90', '--seconds', '2', '--peak', '1', '--cost', '0.01', '--currency', 'EUR'];
    const more = [
      '--per-day',
      '100',
      '--reviewer-cost',
      '40',
      '--tokens',
      '500,700',
      '--wrong',
      '0,10',
      '--p99',
      '4,9',
    ];
    const limits = [
      '--budget',
      '25',
      '--reviews',
      '20',
      '--least-rescued',
      '5',
      '--most-p99',
      '10',
      '--most-slots',
      '9',
    ];
    const last = ['--most-wait', '1', '--reached', '100,15', '--json'];
    const [made] = jsonLines(await createCommandLine().run('plan', ...flags, ...more, ...limits, ...last));
    expect(made?.['input']).toEqual({
      measuredRuns: null,
      peakPerSecond: 1,
      documentsPerDay: 100,
      attempts: [
        {
          cumulativePass: 0.8,
          reached: 1,
          meanMs: 2_000,
          p99Ms: 4_000,
          wrongShare: 0,
          tokens: 500,
          cost: { amount: '0.01', currency: 'EUR' },
        },
        {
          cumulativePass: 0.9,
          reached: 0.15,
          meanMs: 2_000,
          p99Ms: 9_000,
          wrongShare: 0.1,
          tokens: 700,
          cost: { amount: '0.01', currency: 'EUR' },
        },
      ],
      slots: null,
      repairBudgetShare: 0.25,
      reviewedShare: null,
      reviewsPerHour: 20,
      reviewerPerHour: { amount: '40', currency: 'EUR' },
      limits: { leastRescuedPerThousand: 5, mostP99Ms: 10_000, mostSlots: 9, mostWaitMs: 1_000 },
    });
    expect(made).toMatchObject({ recommended: 2, decidedBy: [] });
  });
});

describe('given numbers in a file', () => {
  it('when what --json printed is read again, then the plan is the same', async () => {
    const line = createCommandLine();
    const [made] = jsonLines(await line.run('plan', '--scenario', 'claims', '--json'));
    const file = line.file('plan.json', JSON.stringify(made?.['input']));
    expect(jsonLines(await line.run('plan', '--from', file, '--json'))).toEqual([made]);
  });

  it.each([
    ['not json', 'is not JSON.'],
    ['[]', 'must hold one JSON object.'],
    ['{"attempts": 3}', '"attempts" in'],
    ['{"attempts": [{"meanMs": "2"}]}', '"attempts[0].meanMs" in'],
    ['{"attempts": [{"cost": {"amount": 1}}]}', '"attempts[0].cost" in'],
    ['{"attempts": [{"speed": 2}]}', 'has a field "attempts[0].speed" that no plan knows.'],
    ['{"limits": {"mostSlots": "many"}}', '"limits.mostSlots" in'],
    ['{"slots": {"kind": "pool"}}', '"slots" in'],
    ['{"peakPerSecond": null}', '"peakPerSecond" in'],
    ['{}', 'Say --scenario, --report, --from a file, or at least --pass'],
  ])(
    'when it says %s, then one sentence says what is wrong and the exit code is 2',
    async (text, sentence) => {
      const line = createCommandLine();
      const ran = await line.run('plan', '--from', line.file('plan.json', text));
      expect(ran).toMatchObject({ code: 2, out: '' });
      expect(ran.error).toContain(sentence);
      expect(ran.error.trim().split('\n')).toHaveLength(1);
    },
  );
});

describe('given flags that make no plan', () => {
  it.each([
    [['plan'], 'Say --scenario, --report, --from a file, or at least --pass'],
    [['plan', '--from', 'nowhere.json'], 'There is no file nowhere.json that can be read.'],
    [['plan', '--scenario', 'claims', '--slots', '1,2,3'], '--slots takes one number, or two: first,repair.'],
    [['plan', '--scenario', 'claims', '--cost', '1e3'], '--cost takes plain decimals such as 0.0125.'],
    [['plan', '--scenario', 'claims', '--reviews', '0'], '--reviews must be above 0.'],
    [['plan', '--pass', '90,80', '--seconds', '1'], 'Attempt 2: --pass must not fall'],
    [['plan', '--pass', '100'], 'or at least --pass 78,90.1,93.8 and --seconds 2.6,4.1.'],
    [
      ['plan', '--pass', '101', '--seconds', '1'],
      "'--pass <list>' argument '101' is invalid. Each must be percent",
    ],
    [
      ['plan', '--pass', '80', '--seconds', '0'],
      "'--seconds <list>' argument '0' is invalid. Each must be seconds",
    ],
    [
      ['plan', '--pass', '80,90', '--seconds', '2', '--reached', '100,30'],
      'Attempt 2: --reached must not exceed',
    ],
    [['plan', '--scenario', 'claims', '--pass', '80,70'], 'Attempt 2: --pass must not fall'],
    [['plan', '--pass', '80', '--seconds', '9', '--peak', '9000'], '--peak and --seconds keep more than'],
    [['plan', '--scenario', 'claims', '--peak', '90000'], '--peak and meanMs keep more than'],
    [['plan', '--scenario', 'claims', '--cost=-1'], 'Attempt 1: --cost must be a plain decimal text'],
    [['plan', '--scenario', 'claims', '--p99', '1,2,3,4,5,6'], '--p99 names 6 attempts, and there are 5.'],
    [['plan', '--pass', '80,90', '--seconds', '2,3,4'], '--seconds names 3 attempts, and there are 2.'],
    [['plan', '--scenario', 'claims', '--currency', 'eur'], 'It must be three capital letters such as USD.'],
    [['plan', '--scenario', 'claims', '--peak', '90000'], 'keep more than 20,000 slots busy at once'],
    [['plan', '--scenario', 'claims', '--peak', '9'.repeat(20)], 'No number of a plan may be above'],
    [['plan', '--pass', 'many'], 'It must be a number, 0 or more.'],
  ])('when %j is run, then it says so and the exit code is 2', async (argv, sentence) => {
    const ran = await createCommandLine().run(...argv);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toContain(sentence);
  });
});
