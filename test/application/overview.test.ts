import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresStore } from '../../src/adapters/postgres/store.js';
import type { Application } from '../../src/application/application.js';
import { readOverview } from '../../src/application/overview.js';
import { readReport } from '../../src/application/reports.js';
import { tenantView } from '../../src/application/tenant-view.js';
import type { RunRef } from '../../src/domain/extraction-input.js';
import type { Store } from '../../src/ports/store.js';
import { foldVersion } from '../../src/reports/overview-measures.js';
import { accepted, landing, newCall, openRun, rejected } from '../contract/store/fixtures.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const hourMs = 3_600_000;
const began = Date.parse('2026-03-02T08:00:00Z');
const now = began + 4.5 * hourMs;
/** The first six began two days before the others, so that a whole day lies between, and one that is over around them. */
const beganOf = (index: number) => began + index * 400_000 - (index < 6 ? 48 * hourMs : 0);

describe('given hours and days that are over, and an hour that is not', () => {
  let database: TestDatabase;
  let store: Store;
  let app: Application;
  const refs: RunRef[] = [];
  /** Hours from the beginning that are not folded, of those that are over. */
  const unfolded = async (selection: { tenant?: string; specId?: string }) => {
    const range = { since: began - 72 * hourMs, until: now - 1 };
    const missing = await store.folds.missing({ ...selection, version: foldVersion }, range);
    return missing.map((hour) => (hour - began) / hourMs);
  };

  /** How many folds an overview reads from the whole day on in which the first run began. */
  const foldsRead = async () => {
    let folds = 0;
    for await (const part of store.folds.read({ version: foldVersion }, Date.parse('2026-02-28')))
      if ('fold' in part) folds += 1;
    return folds;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    store = createPostgresStore({ databaseUrl: database.databaseUrl });
    // A spec that is known, and that nothing was run under.
    const catalogue = { current: (id: string) => (id === 'nobody' ? {} : null), list: () => [] };
    app = { store, catalogue, now: () => now } as unknown as Application;
    for (let index = 0; index < 40; index += 1) {
      const tenant = index % 3 === 0 ? 'acme' : 'other';
      const at = beganOf(index);
      const ref = await openRun(store, { tenant, at, ...(index % 4 === 0 ? { specId: 'invoice' } : {}) });
      refs.push(ref);
      await store.attempts.beginCall(newCall(ref, { at: at + 10 }));
      await store.attempts.commit(rejected(ref, { at: at + 1_000 + index * 77 }));
      if (index % 5 === 0) await store.extractions.land(landing(ref, { at: at + 9_000 + index }));
      else if (index !== 22) await store.attempts.commit(accepted(ref, { at: at + 4_000 - index * 31 }, 2));
    }
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  /** What a report that reads every run says of the same. */
  async function expectSame(view: Application, filter: { specId?: string; since?: number }): Promise<void> {
    const { measures } = await readOverview(view, filter);
    const { completeness, estimates, figures, lanes, ...reported } = (await readReport(view, filter))
      .measures;
    expect(measures).toEqual({
      ...reported,
      peaks: lanes.lanes.map(({ lane, peak }) => ({ lane, peak })),
    });
  }
  const filters = [
    {},
    { since: began - 48 * hourMs + 1_000_000 },
    { specId: 'invoice' },
    { specId: 'nobody' },
  ];

  it('when an overview is read, again or of a tenant, then its numbers are those of a report', async () => {
    for (const view of [app, tenantView(app, 'acme')]) {
      for (const filter of filters) {
        await expectSame(view, filter);
        await expectSame(view, filter);
      }
    }
    // The run that is open began in the third hour.
    for (const selection of [{}, { specId: 'invoice' }, { tenant: 'acme' }])
      expect(await unfolded(selection)).toEqual([]);
    expect((await readOverview(app, {})).measures.tally).toMatchObject({ runs: 40, open: 1, unverified: 8 });
    expect((await readOverview(tenantView(app, 'acme'), {})).measures.tally.runs).toBe(14);
  });

  it('when something changes late, then the next overview has it', async () => {
    const [first] = refs as [RunRef];
    const before = (await readOverview(app, {})).measures.tally;
    expect(await unfolded({})).toEqual([]);
    // Of two whole days, and of all hours of the third but that of the open run.
    expect(await foldsRead()).toBe(2 + 11);
    await store.attempts.commit(accepted(first, { at: beganOf(0) + 20_000 }, 2));
    expect(await unfolded({})).toEqual([-48]);
    expect(await foldsRead()).toBe(23 + 1 + 11);
    expect((await readOverview(app, {})).measures.tally.attempts).toBe(before.attempts + 1);
    expect(await foldsRead()).toBe(2 + 11);
    await store.attempts.commit(accepted(refs[22] as RunRef, { at: began + 22 * 400_000 + 3_000 }, 2));
    expect((await readOverview(app, {})).measures.tally.open).toBe(0);
    await openRun(store, { tenant: 'other', at: began + 5 });
    expect((await readOverview(app, {})).measures.tally).toMatchObject({ runs: 41, open: 1 });
    for (const view of [app, tenantView(app, 'acme')])
      for (const filter of filters) await expectSame(view, filter);
  });

  it('when runs of more than eight days are shown, then their times are shown by day', async () => {
    expect((await readOverview(app, {})).measures.latency).toMatchObject({ lineMs: hourMs });
    await openRun(store, { tenant: 'other', at: began - 8 * 24 * hourMs });
    const { all, lineMs, lines } = (await readOverview(app, {})).measures.latency;
    expect(lineMs).toBe(24 * hourMs);
    expect(
      lines.map(({ from, ended, open }) => [new Date(from).toISOString().slice(0, 10), ended, open]),
    ).toEqual([
      ['2026-02-22', 0, 1],
      ['2026-02-28', 6, 0],
      ['2026-03-02', 34, 1],
    ]);
    expect(all).toMatchObject({ ended: 40, open: 2 });
  });
});
