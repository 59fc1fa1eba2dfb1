import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCommandLine, jsonLines } from './command-line.js';

describe('given a ready-made world', () => {
  it('when it is simulated twice with a seed, then the same bytes are printed, and others with another', async () => {
    const run = (...more: string[]) =>
      createCommandLine().run('simulate', 'outage', '--documents', '500', ...more);
    const first = await run('--seed', '5');
    expect(first).toMatchObject({ code: 0, error: '' });
    expect(await run('--seed', '5')).toEqual(first);
    expect((await run('--seed', '6')).out).not.toBe(first.out);
    expect((await run('--seed', '5', '--json')).out).toBe((await run('--seed', '5', '--json')).out);
  });

  it('when documents never end, then they are printed as open, beside what ended', async () => {
    const ran = await createCommandLine().run('simulate', 'four-hung', '--documents', '200');
    expect(ran.out).toMatch(/^documents +204: 200 verified, 0 unverified, 4 open$/m);
    expect(ran.out).toContain('4 open ones counted as longer than so far');
    expect(ran.out.match(/^[0-9a-f]{12} +hopeless/gm)).toHaveLength(4);
    expect(ran.out).toMatch(/^\.\.\. and up to \d+ attempts$/m);
    expect(ran.out).toMatch(/^cap at the end +none$/m);
  });

  it('when four hang for ever, then the figures of docs/choose-a-cap.md show it: the p99, and hardly the median', async () => {
    const timesOf = async (...more: string[]) => {
      const { out } = await createCommandLine().run(
        ...['simulate', 'week-one-uncapped', '--documents', '2000', '--seed', '7', ...more],
      );
      return (/^time of a document +p50 (\S+) s, .*p99 (\S+) s/m.exec(out) ?? []).slice(1);
    };
    const [uncapped, capped] = [await timesOf(), await timesOf('--cap', '1')];
    const guide = readFileSync('docs/choose-a-cap.md', 'utf8').replaceAll('\n', ' ');
    expect(guide).toContain(
      `the median is ${uncapped[0]} s and ${capped[0]} s, the p99 ${uncapped[1]} s and ${capped[1]} s.`,
    );
  });

  it('when a world is looked at before all have come, then how many are missing is said, in JSON too', async () => {
    const line = createCommandLine();
    const file = line.file('soon.json', JSON.stringify({ from: 'outage', documents: 100, stopAt: 1 }));
    expect((await line.run('simulate', file)).out).toMatch(
      /^not arrived +100 more, .* after 1 ms \(stopAt\)$/m,
    );
    expect(jsonLines(await line.run('simulate', file, '--json'))[0]).toMatchObject({
      ...{ documents: 0, notArrived: 100 },
    });
  });

  it('when another cap is named, then no document makes more attempts', async () => {
    const ran = await createCommandLine().run(
      'simulate',
      'bad-deploy',
      '--documents',
      '300',
      '--cap',
      '2',
      '--json',
    );
    const [simulation] = jsonLines(ran);
    expect(simulation).toMatchObject({
      scenario: 'bad-deploy',
      documents: 300,
      cap: 2,
      yield: { length: 2 },
    });
  });

  it('when another cap is named, then the words of the world say so', async () => {
    const { out } = await createCommandLine().run(
      ...['simulate', 'outage', '--documents', '5', '--cap', '2'],
    );
    expect(out).toContain('for five minutes of half an hour; here with a cap of 2. Seed 1.');
  });

  it('when a batch runs out, then that is said in words', async () => {
    const ran = await createCommandLine().run('simulate', 'batch-over-budget', '--documents', '9000');
    expect(ran.out).toMatch(/^cap at the end +the budget was gone$/m);
  });
});

describe('given a file that says what differs from a ready-made world', () => {
  it('when it is simulated, then the rest is that world', async () => {
    const line = createCommandLine();
    const file = line.file(
      'mine.json',
      JSON.stringify({
        from: 'outage',
        documents: 200,
        incidents: [],
        slots: { kind: 'lanes', first: 5, repair: 0 },
        policy: { attemptCap: 2, repairLaneWaitMs: 10 },
      }),
    );
    // Its own words would no longer be true.
    expect((await line.run('simulate', file)).out).toMatch(
      /: outage with documents, incidents, slots, policy.attemptCap, policy.repairLaneWaitMs of its own\. Seed 1/,
    );
    const [simulation] = jsonLines(await line.run('simulate', file, '--json'));
    expect(simulation).toMatchObject({ documents: 200, cap: 2, calls: { repairs: 0, failed: 0 } });
    expect(simulation?.['reasons']).toMatchObject([{ name: 'no_capacity' }]);
  });

  it.each([
    ['{}', '"from" in'],
    ['{"from": "outage", "speed": 2}', '"speed" in'],
    ['{"from": "outage", "documents": "many"}', '"documents" in'],
    ['{"from": "outage", "kinds": [{"name": "a"}]}', '"kinds[0].weight" in'],
    ['{"from": "outage", "incidents": [{"kind": "flood", "from": 0, "to": 1}]}', '"incidents[0].kind" in'],
    ['{"from": "outage", "slots": {"kind": "pool"}}', '"slots" in'],
    ['{"from": "outage", "policy": {"__proto__": 1, "toString": 2}}', '"policy.__proto__" in'],
    ['{"from": "outage", "policy": {"attemptCap": 0}}', 'attemptCap must be a whole number of at least 1.'],
    ['{"from": "outage", "lineMs": -1}', 'lineMs must be at least 1000.'],
    [
      '{"from": "outage", "planted": [{"kind": "hard", "at": -5}]}',
      'No instant may lie before the beginning.',
    ],
    ['{"from": "outage", "documents": 1, "planted": [{"kind": "hard", "at": 1e13}]}', 'lengthen lineMs.'],
    ['[]', 'must hold one JSON object.'],
    ['{', 'is not JSON.'],
  ])('when it says %s, then one sentence says what is wrong', async (text, sentence) => {
    const line = createCommandLine();
    const ran = await line.run('simulate', line.file('mine.json', text));
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toContain(sentence);
    expect(ran.error.trim().split('\n')).toHaveLength(1);
  });
});

describe('given what cannot be simulated', () => {
  it.each([
    [['simulate', 'nowhere'], 'There is no world "nowhere"; name a file, or one of week-one-uncapped,'],
    [['simulate', './nowhere.json'], 'There is no file ./nowhere.json that can be read.'],
    [['simulate', 'outage', '--seed', 'x'], 'It must be a whole number, 0 or more.'],
    [['simulate', 'outage', '--documents', '0'], 'It must be a whole number of at least 1.'],
  ])('when %j is run, then it says so and the exit code is 2', async (argv, sentence) => {
    const ran = await createCommandLine().run(...argv);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toContain(sentence);
  });
});
