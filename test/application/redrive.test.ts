import { describe, expect, it } from 'vitest';
import {
  cancelRedrive,
  followRedrive,
  type RedriveRequest,
  readRedrive,
  redriveByKey,
  selectedGroups,
  startRedrive,
} from '../../src/application/redrive.js';
import { redriveStep } from '../../src/application/redrive-step.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import type { RedriveReport } from '../../src/domain/redrive.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { type Bench, createBench, exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';
import { receiptCatalogue, receiptSpec } from '../support/fakes/receipt-spec.js';

/** `count` documents that failed under prompt v1 and are parked. */
async function parkedUnderV1(count: number): Promise<Bench> {
  const bench = createBench(createCatalogue([receiptSpec()]));
  exhaustAll(bench, 'dead_letter');
  for (let index = 0; index < count; index += 1) {
    await submitExtraction(bench.app, textSubmission(`document ${index}`, { budgets: { attemptCap: 2 } }));
  }
  const app = { ...bench.app, catalogue: receiptCatalogue() };
  bench.engine.step = (step) => redriveStep(app, step);
  bench.engine.started.length = 0;
  return { ...bench, app };
}

const everything: RedriveRequest = {
  id: null,
  selection: {},
  promptVersion: null,
  most: null,
  inFlight: 3,
  perSecond: null,
};

async function redrive({ app }: Bench, changes: Partial<RedriveRequest> = {}): Promise<RedriveReport> {
  const { order } = await startRedrive(app, { ...everything, ...changes });
  return await readRedrive(app, order.id);
}

const firstKey = (bench: Bench) => bench.store.rows[0]?.key ?? '';
const letterOf = (bench: Bench) => bench.store.letters.get(firstKey(bench));

describe('given parked dead letters', () => {
  it('when they are redriven as they were, then each runs once more under its frozen bounds', async () => {
    const bench = await parkedUnderV1(5);
    verifyAll(bench);
    expect(await redrive(bench)).toMatchObject({
      ...{ state: 'finished', parked: 5, selected: 5, started: 5, recovered: 5, returned: 0 },
      ...{ taken: 0, refused: 0, underWay: 0 },
    });
    expect(bench.engine.started).toHaveLength(5);
    for (const input of bench.engine.started) {
      expect(input).toMatchObject({ run: 2, promptVersion: 'v1', policy: { attemptCap: 2 } });
    }
  });

  it('when they are redriven with another prompt, then they run as it, under its own bounds and the same subject', async () => {
    const bench = await parkedUnderV1(1);
    const [old] = bench.store.rows;
    await redrive(bench, { promptVersion: 'v2' });
    const [input] = bench.engine.started;
    expect(input).toMatchObject({ promptVersion: 'v2', run: 1, subject: old?.subject });
    expect(input?.key).not.toBe(old?.key);
    expect(input?.policy.attemptCap).toBe(3);
    expect(input?.batchId).toMatch(/^redrive\/[0-9a-f]{16}$/);
    expect(letterOf(bench)).toMatchObject({
      state: 'redriven',
      redrivenInto: { key: input?.key, run: 1 },
    });
  });

  it('when half of them fail again, then it says how many came back and why', async () => {
    const bench = await parkedUnderV1(4);
    const park = bench.engine.script;
    verifyAll(bench);
    const verify = bench.engine.script;
    bench.engine.script = (input) => (bench.engine.started.length % 2 === 0 ? verify(input) : park(input));
    expect(await redrive(bench)).toMatchObject({
      ...{ started: 4, recovered: 2, returned: 2, returnedBy: { no_progress: 2 } },
    });
  });

  it('when the same redrive is asked for again, then nothing is run a second time', async () => {
    const bench = await parkedUnderV1(4);
    const first = await redrive(bench, { selection: { promptVersion: 'v1' } });
    expect(first).toMatchObject({ started: 4, returned: 4 });
    const second = await redrive(bench, { selection: { promptVersion: 'v1' } });
    expect(second).toMatchObject({ id: first.id, parked: 4, selected: 0, started: 0, returned: 0 });
    expect(bench.engine.started).toHaveLength(4);
    expect(await redrive(bench, { selection: { promptVersion: 'v1' }, id: 'once-more' })).toMatchObject({
      started: 4,
    });
  });

  it('when another day comes, then the same selection is another redrive', async () => {
    const bench = await parkedUnderV1(1);
    const first = await redrive(bench);
    bench.pass(86_400_000);
    const second = await redrive(bench);
    expect(second.id).not.toBe(first.id);
    expect(second.started).toBe(1);
  });

  it('when two redrives of different names come together, then each letter starts one run', async () => {
    const bench = await parkedUnderV1(6);
    verifyAll(bench);
    const both = await Promise.all([redrive(bench, { id: 'one' }), redrive(bench, { id: 'two' })]);
    expect(bench.engine.started).toHaveLength(6);
    expect(both[0].started + both[1].started).toBe(6);
    for (const { started, taken, selected } of both) expect(selected).toBe(started + taken);
  });

  it.each([
    ['later', 20_000],
    // By a worker whose clock is behind.
    ['before the redrive began', 5_000],
  ])(
    'when they fail again and are parked %s, then none is taken twice and the redrive ends',
    async (_when, afterMs) => {
      const bench = await parkedUnderV1(4);
      bench.pass(10_000);
      const park = bench.engine.script;
      bench.engine.script = (input) => {
        const before = bench.store.letters.get(input.key);
        const ending = park(input);
        const letter = bench.store.letters.get(input.key);
        if (before !== undefined && letter !== undefined) {
          bench.store.letters.set(input.key, { ...letter, at: before.at + afterMs });
        }
        return ending;
      };
      expect(await redrive(bench, { inFlight: 1 })).toMatchObject({ selected: 4, started: 4, returned: 4 });
    },
  );

  it('when others are parked meanwhile, then they are left for the next redrive: this one ends', async () => {
    const bench = await parkedUnderV1(2);
    const park = bench.engine.script;
    bench.engine.script = (input) => {
      const { letters } = bench.store;
      const letter = letters.get(input.key);
      const key = `f${letters.size}`.padEnd(64, '0');
      // Not for ever, so that a redrive that goes on fails this test instead of hanging it.
      if (letter !== undefined && letters.size < 6) {
        letters.set(key, { ...letter, key, state: 'parked', at: bench.app.now() });
      }
      return park(input);
    };
    expect(await redrive(bench, { inFlight: 1 })).toMatchObject({ selected: 2, started: 2 });
  });

  it('when some are asked for, then only those the selection names are run, the oldest first', async () => {
    const bench = await parkedUnderV1(3);
    const report = await redrive(bench, { selection: { reason: 'no_progress' }, most: 2 });
    expect(report).toMatchObject({ state: 'finished', started: 2 });
    expect(bench.engine.started.map(({ key }) => key)).toEqual(
      bench.store.rows.slice(0, 2).map(({ key }) => key),
    );
    expect(await redrive(bench, { selection: { reason: 'refusal' } })).toMatchObject({ selected: 0 });
  });

  it('when it is only asked how many there are, then they are counted by why, and nothing changes', async () => {
    const bench = await parkedUnderV1(3);
    const counted = await selectedGroups(bench.app, { specId: 'receipt' });
    expect(counted).toMatchObject({ parked: 3, groups: [{ reason: 'no_progress', count: 3 }] });
    expect((await selectedGroups(bench.app, { promptVersion: 'v2' })).parked).toBe(0);
    expect(bench.engine.started).toEqual([]);
    expect(letterOf(bench)?.state).toBe('parked');
  });

  it('when no more than two may be in flight, then no third starts before one has ended', async () => {
    const bench = await parkedUnderV1(5);
    bench.engine.script = () => null;
    const report = await redrive(bench, { inFlight: 2 });
    expect(report).toMatchObject({ state: 'running', started: 2, underWay: 2 });
    const [first] = bench.engine.started;
    bench.store.end(first?.key ?? '', { outcome: 'verified' });
    expect(await readRedrive(bench.app, report.id)).toMatchObject({ started: 3, underWay: 2, recovered: 1 });
    expect(bench.engine.started).toHaveLength(3);
  });

  it('when a piece is lost after it started some, then its repetition starts only the rest', async () => {
    const bench = await parkedUnderV1(5);
    bench.engine.script = () => null;
    const { start } = bench.engine;
    bench.engine.start = async (input) => {
      if (bench.engine.started.length === 2) throw new EngineUnavailable('No Temporal server answers.');
      await start(input);
    };
    const piece = { ...stepOf('lost', 10), most: 4, accounted: 0 };
    await expect(redriveStep(bench.app, piece)).rejects.toThrow(EngineUnavailable);
    bench.engine.start = start;
    const opened = () => bench.store.rows.filter(({ batchId }) => batchId === 'redrive/lost').length;
    expect(opened()).toBe(4);
    expect((await redriveStep(bench.app, piece)).batch.open).toBe(4);
    expect(opened()).toBe(4);
  });

  it('when a run is under way already, then it is followed to its end', async () => {
    const bench = await parkedUnderV1(1);
    bench.engine.script = () => null;
    const submission = textSubmission('document 0', { redrive: true });
    const { app } = bench;
    const older = { ...app, catalogue: createCatalogue([receiptSpec()]) };
    const { extraction } = await submitExtraction(older, submission);
    const { attached, newlyAttached } = await redriveStep(app, stepOf('follow'));
    expect(newlyAttached).toBe(1);
    expect(attached).toEqual([{ key: extraction.key, run: 2 }]);
    bench.store.end(extraction.key, { outcome: 'unverified', reason: 'deadline' });
    expect(await redriveStep(app, { ...stepOf('follow'), attached })).toMatchObject({
      attached: [],
      attachedEnded: { verified: 0, unverified: { deadline: 1 } },
    });
  });

  it('when the prompt version is misspelt, then nothing is touched and the known ones are named', async () => {
    const bench = await parkedUnderV1(1);
    await expect(redrive(bench, { promptVersion: 'v8' })).rejects.toThrow(
      'No spec here has the prompt version "v8"; known: receipt v2, receipt v1.',
    );
    expect(letterOf(bench)?.state).toBe('parked');
  });

  it('when the workers no longer have their spec version, then they are refused, counted and stay parked', async () => {
    const bench = await parkedUnderV1(2);
    const app = { ...bench.app, catalogue: createCatalogue([receiptSpec({ promptVersion: 'v2' })]) };
    bench.engine.step = (step) => redriveStep(app, step);
    expect(await redrive(bench)).toMatchObject({ state: 'finished', selected: 2, refused: 2, started: 0 });
    expect(letterOf(bench)?.state).toBe('parked');
  });

  it('when a label of theirs stands for something else now, then they are refused as well', async () => {
    const bench = await parkedUnderV1(2);
    const changed = receiptSpec({ prompt: 'Read something else.' });
    const app = { ...bench.app, catalogue: createCatalogue([changed]) };
    bench.engine.step = (step) => redriveStep(app, step);
    expect(await redrive(bench)).toMatchObject({ refused: 2, started: 0 });
  });

  it('when one of them breaks whoever runs it, then it stays parked and the others run', async () => {
    const bench = await parkedUnderV1(3);
    verifyAll(bench);
    const { take } = bench.store.deadLetters;
    bench.store.deadLetters.take = async (key, into) => {
      if (key === firstKey(bench)) throw new Error('odd data');
      return await take(key, into);
    };
    const faults: unknown[] = [];
    bench.engine.step = (step) => redriveStep(bench.app, step, (fault) => faults.push(fault));
    expect(await redrive(bench)).toMatchObject({ state: 'finished', recovered: 2, refused: 1 });
    expect(faults).toEqual([new Error('odd data')]);
    expect(letterOf(bench)?.state).toBe('parked');
  });

  it('when it is cancelled, then no further letter is run, and asked for again it goes on', async () => {
    const bench = await parkedUnderV1(4);
    bench.engine.script = () => null;
    const { id } = await redrive(bench, { inFlight: 1 });
    await cancelRedrive(bench.app, id);
    expect(await followRedrive(bench.app, id, () => undefined)).toMatchObject({
      state: 'cancelled',
      started: 1,
      underWay: 1,
    });
    await expect(cancelRedrive(bench.app, id)).rejects.toThrow(`There is no redrive "${id}" under way.`);
    bench.store.end(bench.engine.started[0]?.key ?? '', { outcome: 'verified' });
    verifyAll(bench);
    expect(await redrive(bench, { inFlight: 1 })).toMatchObject({ id, started: 3, recovered: 3 });
  });

  it('when there is none of an id, or the id is none, then it says so', async () => {
    const { app } = createBench();
    await expect(readRedrive(app, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
    await expect(readRedrive(app, 'a/b')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(startRedrive(app, { ...everything, id: '' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

/** A piece that may start one run of any letter there is. */
function stepOf(id: string, inFlight = 2) {
  const order = { ...everything, id, inFlight, beganAt: Number.MAX_SAFE_INTEGER, parked: 0 };
  return { order, cursor: null, most: 1, accounted: 2, attached: [] };
}

describe('given one extraction by its id', () => {
  it('when it is a dead letter, then it is taken and run again', async () => {
    const bench = await parkedUnderV1(1);
    bench.engine.script = () => null;
    const run = await redriveByKey(bench.app, firstKey(bench).slice(0, 10), null);
    expect(run).toMatchObject({ run: 2, state: 'open' });
    expect(letterOf(bench)?.state).toBe('redriven');
  });

  it('when its run was cancelled and its letter is not parked, then it runs all the same', async () => {
    const bench = await parkedUnderV1(1);
    const letter = letterOf(bench);
    if (letter !== undefined) bench.store.letters.set(letter.key, { ...letter, state: 'redriven' });
    bench.engine.script = () => null;
    expect(await redriveByKey(bench.app, firstKey(bench), null)).toMatchObject({ run: 2 });
  });

  it('when another redrive takes its letter first, then the run of that one is the answer', async () => {
    const bench = await parkedUnderV1(1);
    bench.engine.script = () => null;
    const [under1, under2] = await Promise.all([
      redriveByKey(bench.app, firstKey(bench), 'v2'),
      redriveByKey(bench.app, firstKey(bench), 'v2'),
    ]);
    expect(under1).toMatchObject({ promptVersion: 'v2', run: 1 });
    expect(under2).toEqual(under1);
    expect(bench.engine.started).toHaveLength(1);
  });

  it('when it went to a person instead, then it runs again under its frozen bounds', async () => {
    const bench = createBench();
    exhaustAll(bench, 'human_review');
    await submitExtraction(bench.app, textSubmission('a', { budgets: { tokenCap: 500 } }));
    const run = await redriveByKey(bench.app, firstKey(bench), null);
    expect(run).toMatchObject({ run: 2, policy: { tokenCap: 500 } });
  });

  it('when it is verified, then there is nothing to run again', async () => {
    const bench = createBench();
    verifyAll(bench);
    await submitExtraction(bench.app, textSubmission('a'));
    await expect(redriveByKey(bench.app, firstKey(bench), null)).rejects.toMatchObject({
      code: 'not_redrivable',
    });
  });

  it('when it is running, then that run is the answer', async () => {
    const bench = createBench();
    await submitExtraction(bench.app, textSubmission('a'));
    expect(await redriveByKey(bench.app, firstKey(bench), null)).toMatchObject({ run: 1, state: 'open' });
    expect(bench.engine.started).toHaveLength(1);
  });

  it.each(['1234', 'not-an-id', ''])(
    'when the id is "%s", then it says what an id looks like',
    async (id) => {
      const bench = createBench();
      await expect(redriveByKey(bench.app, id, null)).rejects.toThrow(
        'Give an id, or at least the first 8 of its digits (0 to 9, a to f), as lists show them.',
      );
    },
  );
});
