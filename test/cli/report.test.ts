import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvObjects } from '../support/csv.js';
import { type Fared, storeRuns, ten } from '../support/fakes/reported-runs.js';
import { type CommandLine, createCommandLine, jsonLines } from './command-line.js';

async function lineOver(runs: readonly Fared[]): Promise<CommandLine & { readonly keys: readonly string[] }> {
  const line = createCommandLine();
  const keys = await storeRuns(line, runs);
  return Object.assign(line, { keys });
}

describe('given ten stored runs', () => {
  it('when all is reported, then every measure stands under one head that counts documents, runs, attempts and calls apart', async () => {
    const ran = await (await lineOver(ten)).run('report');
    expect(ran).toMatchObject({ code: 0, error: '' });
    expect(ran.out).toContain('documents   10, in 10 runs');
    expect(ran.out).toContain('runs        8 verified, 1 unverified, 1 open');
    expect(ran.out).toContain('attempts    13, 0 without a reply');
    expect(ran.out).toMatch(/^ +1 +10 +7 +70\.0 % \(39\.7 to 89\.2\) +70\.0 %/m);
    expect(ran.out).toMatch(/^ +2 +2 +1 +50\.0 % .* 80\.0 % \(49\.0 to 94\.3\) +100\.0 /m);
    expect(ran.out).toContain('1 open ones counted as longer than so far');
    expect(ran.out).toContain('recovered       1 of 3 whose first attempt was rejected: 33.3 %');
    expect(ran.out).toMatch(/^receipt +10 +3 +30\.0 % +10\.0 %/m);
    expect(ran.out).toContain('Net of wrong records: unknown, since none was audited');
  });

  it('when nothing was verified, then it does not say that nobody checked it', async () => {
    const line = await lineOver([{ attempts: 0, ending: 'exhausted' }]);
    expect((await line.run('report', 'yield')).out).toContain(
      'Net of wrong records: none was verified, so none can be wrong.',
    );
    expect((await line.run('report', 'cost')).out).toMatch(
      /^net +unknown: no first attempt was rejected, so nothing was recovered$/m,
    );
  });

  it('when one measure is asked for, then only that one is printed, as JSON and as CSV too', async () => {
    const line = await lineOver(ten);
    const ran = await line.run('report', 'yield');
    expect(ran.out).toContain('Yield by attempt');
    expect(ran.out).not.toContain('Completeness');
    const [json] = jsonLines(await line.run('report', 'yield', '--json'));
    expect(Object.keys(json ?? {})).toEqual(['scope', 'counts', 'yield']);
    expect(json).toMatchObject({
      scope: { spec: null },
      yield: { cap: 3, attempts: [{ reached: 10, passed: 7 }, {}, {}] },
    });
    const rows = csvObjects((await line.run('report', 'yield', '--csv')).out);
    expect(rows.map((row) => [row['attempt'], row['reached'], row['conditional_net']])).toEqual([
      ['1', '10', ''],
      ['2', '2', ''],
      // It verified nothing, so nothing of that can be wrong.
      ['3', '1', '0'],
    ]);
    for (const name of ['latency', 'cost', 'completeness', 'repairs', 'estimates', 'audits']) {
      const [head] = (await line.run('report', name, '--csv')).out.split('\r\n');
      expect(head).toMatch(/^[a-z0-9_,]+$/);
    }
  });

  it('when filters are given, then they choose: version is the prompt version, and not that of the program', async () => {
    const line = await lineOver([
      ...ten,
      { attempts: 1, ending: 'verified', promptVersion: 'v1', tenant: 'other' },
    ]);
    const countOf = async (...flags: string[]) => {
      const [json] = jsonLines(await line.run('report', 'yield', '--json', ...flags));
      return (json as unknown as { counts: { runs: number } }).counts.runs;
    };
    expect(await countOf()).toBe(11);
    expect(await countOf('--version', 'v1')).toBe(1);
    expect(await countOf('--tenant', 'acme')).toBe(10);
    expect(await countOf('--class', 'constraint')).toBe(3);
    expect(await countOf('--until', '2026-03-01T12:00:05Z')).toBe(5);
    // Without a beginning it reaches back thirty days from its end.
    expect(await countOf('--until', '2026-01-01')).toBe(0);
    const never = [
      [['--version', 'v99'], 'There never was a prompt version "v99"; known: '],
      [['--since', '2027-01-01'], 'No run can fit: since (2027-01-01T00:00:00.000Z) is not before now.'],
      [['--since', '2026-02-02', '--until', '2026-02-02'], 'is not before until (2026-02-02T00:00:00.000Z).'],
    ] as const;
    for (const [flags, says] of never) {
      const refused = await line.run('report', ...flags);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.error).toContain(says);
    }
    const none = await line.run('report', '--tenant', 'nobody');
    expect(none).toMatchObject({ code: 0, error: '' });
    expect(none.out).toContain('No run fits these filters.');
  });

  it('when a reviewer has a price, then it stands beside that of a recovered document', async () => {
    const ran = await (await lineOver(ten)).run(
      'report',
      'cost',
      '--reviewer-cost',
      '50',
      '--reviews',
      '20',
      '--currency',
      'EUR',
    );
    expect(ran.out).toContain('a person        2.500000 EUR at 20 an hour (given)');
    // Three repairs of 900 tokens and 0.00017 USD each, for one recovered document.
    expect(ran.out).toContain('each recovered  2,700 tokens, 0.000510 USD');
  });

  it('when it is written as HTML, then one file holds all drawings and asks nobody for anything', async () => {
    const line = await lineOver(ten);
    const file = join(line.folder, 'report.html');
    const ran = await line.run('report', '--html', file);
    expect(ran).toMatchObject({ code: 0, out: '', error: `The report is in ${file}.\n` });
    const html = readFileSync(file, 'utf8');
    expect(html.match(/<svg /g)?.length).toBeGreaterThanOrEqual(6);
    expect(html).not.toMatch(/<script|<img|<link|src=|url\(|https?:\/\/(?!www\.w3)/);
    expect(html).toContain('What a cap of 2 would change');
    expect(html).toContain('95 % interval 49.0 to 94.3');
  });

  it.each([
    [['report', '--csv'], 'CSV has one header: name one of yield, latency'],
    [['report', 'everything'], 'Allowed choices are yield, latency'],
    [['report', '--since', 'yesterday'], 'It must be a day such as 2026-03-01'],
    [['report', '--currency', 'euro'], 'It must be three capital letters such as USD.'],
    [['report', '--reviewer-cost', 'much'], 'It must be a plain decimal such as 40.00.'],
    [
      ['report', '--html', '/nowhere/at/all.html'],
      '/nowhere/at/all.html cannot be written: its folder does not exist.',
    ],
    [['report', '--html', 'a.html', '--json'], "cannot be used with option '--json'"],
  ])('when %j is run, then one sentence says what is wrong', async (argv, sentence) => {
    const ran = await (await lineOver(ten)).run(...argv);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toContain(sentence);
  });
});

describe('given stored runs to plan and simulate with', () => {
  it('when a plan is made of them, then it has their figures, and flags go over those', async () => {
    const line = await lineOver(ten);
    const [made] = jsonLines(await line.run('plan', '--report', '--json', '--per-day', '4000'));
    expect(made).toMatchObject({
      recommended: 2,
      input: {
        ...{ documentsPerDay: 4_000, repairBudgetShare: 0.1, slots: { kind: 'lanes', first: 14, repair: 4 } },
        attempts: [
          {
            cumulativePass: 0.7,
            reached: 1,
            meanMs: 1_234,
            tokens: 900,
            cost: { amount: '0.000170', currency: 'USD' },
          },
          { cumulativePass: 0.8, reached: 0.2 },
          { cumulativePass: 0.8, reached: 0.1 },
        ],
      },
    });
  });

  it('when one exhausted run went to people and another to the dead letters, then half of the exhausted take hours', async () => {
    const line = await lineOver([...ten, { attempts: 3, ending: 'exhausted', route: 'dead_letter' }]);
    const [made] = jsonLines(
      await line.run('plan', '--report', '--json', '--per-day', '1100', '--reviews', '10'),
    );
    expect(made).toMatchObject({ input: { reviewedShare: 0.5 } });
    // Three of eleven are not verified by the third attempt, the open one among them: 300 a day, half of which take 15 hours.
    expect(made?.['caps']).toMatchObject([{}, {}, { reviewerHoursPerDay: expect.closeTo(15, 9) }]);
    const { out } = await line.run('plan', '--report');
    expect(out).toContain('Reviewer hours of the 50.0 % of exhausted documents that go to a person.');
    expect(out).toContain('landing, which the latency report counts too, is not in it.');
  });

  it('when a world is fitted, then it can be simulated, and saved to be simulated again', async () => {
    const line = await lineOver(ten);
    const file = join(line.folder, 'world.json');
    const [fitted] = jsonLines(
      await line.run('simulate', '--fit', '--json', '--save', file, '--documents', '2000'),
    );
    const first = (fitted as unknown as { yield: { reached: number; passed: number }[] }).yield[0];
    expect(Math.abs((first?.passed ?? 0) / (first?.reached ?? 1) - 0.7)).toBeLessThan(0.05);
    const [again] = jsonLines(await line.run('simulate', file, '--json'));
    expect({ ...again, scenario: 'fitted', routes: [] }).toEqual({ ...fitted, routes: [] });
  });

  it('when a simulation is written as HTML with another cap, then it shows what changed', async () => {
    const line = createCommandLine();
    const file = join(line.folder, 'simulation.html');
    const ran = await line.run('simulate', 'bad-deploy', '--documents', '300', '--cap', '6', '--html', file);
    expect(ran).toMatchObject({ code: 0, out: '' });
    const html = readFileSync(file, 'utf8');
    expect(html).toContain('From cap 3 to cap 6');
    expect(html.match(/<svg /g)?.length).toBeGreaterThanOrEqual(4);
    expect(html).not.toMatch(/<script|<img|<link|src=|url\(/);
  });

  it.each([
    [
      ['plan', '--report'],
      'A cap belongs to one spec, and these runs are of several: name one of letter, receipt.',
    ],
    [['plan', '--spec', 'receipt'], 'Filters choose among stored runs: say --report with them.'],
    [['plan', '--report', '--scenario', 'claims'], "cannot be used with option '--scenario"],
    [['plan', '--report', '--tenant', 'nobody'], 'No run fits these filters.'],
    [['simulate', '--fit'], 'name one of letter, receipt.'],
    [['simulate', 'outage', '--fit'], '--fit makes a world of its own: leave out "outage".'],
    [['simulate', 'outage', '--spec', 'receipt'], 'Filters choose among stored runs: say --fit with them.'],
    [['simulate'], 'Name a world (week-one-uncapped'],
    [['simulate', '--fit', '--spec', 'letter'], 'None of these runs has had a reply yet'],
  ])('when %j is run, then one sentence says what is wrong', async (argv, sentence) => {
    const line = await lineOver([...ten, { attempts: 0, ending: 'open', specId: 'letter' }]);
    const ran = await line.run(...argv);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toContain(sentence);
    expect(line.open).toEqual({ store: 0, engine: 0 });
  });
});

describe('given verified records to audit', () => {
  it('when some are drawn and judged, then every yield is shown net of what was wrong', async () => {
    const line = await lineOver(ten);
    const drawn = await line.run('audit', 'sample', '--n', '5', '--seed', '7');
    expect(drawn.code).toBe(0);
    expect(drawn.out).toMatch(/^drawn +5 of 5, seed 7, /m);
    expect(drawn.out).toContain('scan-0.pdf');
    const [key = '', other = ''] = line.keys;
    const told = await line.run('audit', 'verdict', key.slice(0, 10), 'right', other, 'wrong', '--as', 'kim');
    expect(told).toMatchObject({
      code: 0,
      error: '',
      out: `${key.slice(0, 12)}  right\n${other.slice(0, 12)}  wrong\n`,
    });
    expect((await line.run('audit', 'verdict', key, 'right')).out).toContain('right (as before)');
    expect((await line.run('audit', 'verdict', key, 'wrong')).out).toContain('wrong (was right)');
    await line.run('audit', 'verdict', key, 'right', '--as', 'kim');
    const yields = await line.run('report', 'yield');
    // Half of two were wrong: 70 % less a half.
    expect(yields.out).toMatch(/^ +1 .* 35\.0 % \(/m);
    const shown = await line.run('audit', 'show');
    expect(shown.out).toMatch(/ 5 +1 +1 +50\.0 % \(9\.5 to 90\.5 at 95 %\)$/m);
    const [id = ''] = /[0-9a-f]{16}/.exec(shown.out) ?? [];
    const [one] = jsonLines(await line.run('audit', 'show', id.slice(0, 8), '--json'));
    expect(one).toMatchObject({
      id,
      right: 1,
      wrong: 1,
      records: [{ id: key, verdict: 'right', actor: 'kim' }, {}, {}, {}, {}],
    });
  });

  it('when fewer verified than were asked for, then all are drawn, and it is said', async () => {
    const ran = await (await lineOver(ten)).run('audit', 'sample');
    expect(ran.out).toMatch(/^drawn +8 of 120, seed \d+/m);
    expect(ran.error).toContain('Only 8 records fit these filters.');
  });

  it.each([
    [['audit', 'verdict', 'abcdef0123', 'right'], 'No audit has drawn "abcdef0123"'],
    [['audit', 'verdict', 'short', 'right'], '"short right" is no verdict'],
    [['audit', 'verdict', 'abcdef0123'], '"abcdef0123" is no verdict'],
    [['audit', 'show', '0123456789'], 'There is no audit "0123456789"'],
    [['audit', 'sample', '--n', '0'], 'It must be a whole number of at least 1.'],
    [['audit', 'sample', '--n', '20000'], 'A sample holds at most 10000 records.'],
  ])('when %j is run, then one sentence says what is wrong', async (argv, sentence) => {
    const ran = await (await lineOver(ten)).run(...argv);
    expect(ran.code).toBe(2);
    expect(ran.error).toContain(sentence);
  });
});
