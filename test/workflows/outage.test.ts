import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createBreaker } from '../../src/adapters/cockatiel/breaker.js';
import { awaitEnd } from '../../src/application/await-outcome.js';
import { redriveByKey } from '../../src/application/redrive.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import type { Spec } from '../../src/spec/spec.js';
import { type House, noBreaker, openHouse } from '../support/house.js';
import { claimText } from '../support/papers.js';
import { claimSpec } from './claim-specs.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Long enough to outlast the outage; a batch has half an hour. */
const patient = claimSpec('claim-patient', {
  policy: { deadlineMs: 120_000, outage: { patienceMs: 100_000, pauseMs: 200 } },
});
/** As a person waits: no patience, and a deadline within the outage. */
const impatient = claimSpec('claim-impatient', { policy: { deadlineMs: 4_000 } });
const counts = { patient: 30, impatient: 5 };
/** The outage lasts until so many calls were made without a breaker, and with one as long as that took. */
const controlCalls = 250;

const said: string[] = [];
let breaker = noBreaker;
let house: House;
beforeAll(async () => {
  house = await openHouse({
    specs: [patient, impatient],
    firstSlots: 2,
    standin: { behaviour: { latencyMs: 5, msPerToken: 0 } },
    breaker: {
      guard: (model, call) => breaker.guard(model, call),
      suspendedUntil: (model) => breaker.suspendedUntil(model),
      breakers: () => breaker.breakers(),
    },
  });
});
afterAll(() => house.close());

async function overload(rate529: number): Promise<void> {
  await fetch(`${house.standinUrl}/standin/behaviour`, {
    method: 'POST',
    body: JSON.stringify({ rate529 }),
  }).then((answer) => expect(answer.ok).toBe(true));
}

const submit = async (spec: Spec): Promise<Extraction> => {
  const document = { kind: 'bytes', mediaType: 'text/plain', bytes: Buffer.from(claimText({})) } as const;
  const rest = { tenant: 'test', fileName: null, tags: [], budgets: {}, redrive: false };
  return (await submitExtraction(house.app, { specId: spec.id, document, ...rest })).extraction;
};

const ended = (rows: readonly Extraction[]) => Promise.all(rows.map((row) => awaitEnd(house.app, row)));

/** Documents that come in while nothing but 529 is answered, the calls that were made until it was over, and their ends. */
async function outage(isOver: (calls: number, passedMs: number) => boolean) {
  const before = house.standin.stats().requests;
  const startedAt = Date.now();
  const made = () => house.standin.stats().requests - before;
  const passed = () => Date.now() - startedAt;
  await overload(1);
  const rows = await Promise.all([
    ...Array.from({ length: counts.patient }, () => submit(patient)),
    ...Array.from({ length: counts.impatient }, () => submit(impatient)),
  ]);
  while (!isOver(made(), passed())) await pause(50);
  const [calls, lastedMs] = [made(), passed()];
  await overload(0);
  const ends = await ended(rows);
  return {
    calls,
    lastedMs,
    patient: ends.filter(({ specId }) => specId === patient.id),
    impatient: ends.filter(({ specId }) => specId === impatient.id),
  };
}

it('a provider outage is sat out behind the breaker, parked without patience, and shown to nobody', async () => {
  const control = await outage((calls) => calls >= controlCalls);
  // Pauses as parts of the outage, so that a slow machine, on which it lasts longer, sees as many probes.
  const pauses = { firstPauseMs: control.lastedMs / 4, longestPauseMs: control.lastedMs / 3 };
  breaker = createBreaker((line) => said.push(line), pauses);
  const guarded = await outage((_calls, passedMs) => passedMs >= control.lastedMs);
  process.stdout.write(
    `outage of ${control.lastedMs} ms: ${control.calls} calls without a breaker, ${guarded.calls} with one\n`,
  );
  expect(guarded.calls).toBeLessThan(0.05 * control.calls);

  for (const { patient: sat, impatient: gone } of [control, guarded]) {
    expect(sat).toHaveLength(counts.patient);
    for (const row of sat) expect(row).toMatchObject({ outcome: 'verified', attempts: 1, route: null });
    expect(gone).toHaveLength(counts.impatient);
    for (const row of gone) {
      expect(row).toMatchObject({ attempts: 0, route: 'dead_letter' });
      // On a machine that is busy with something else the deadline may come before the last call's turn.
      expect(['provider_unavailable', 'deadline']).toContain(row.reason);
      expect(await house.app.store.deadLetters.find(row.key)).toMatchObject({ state: 'parked' });
    }
  }
  expect((await house.app.store.reviews.list({}, { limit: 10 })).items).toEqual([]);

  expect(breaker.breakers()).toEqual([expect.objectContaining({ state: 'closed' })]);
  expect(said[0]).toMatch(/^warning: breaker open: calls to \S+ fail \(overloaded\)/);
  expect(said.at(-1)).toMatch(/^breaker closed/);

  // Whoever was parked comes back by itself once somebody asks for it.
  const again = await Promise.all(guarded.impatient.map(({ key }) => redriveByKey(house.app, key, null)));
  expect(again).toHaveLength(counts.impatient);
  for (const { key } of guarded.impatient) {
    const row = await house.app.store.extractions.find(key);
    if (row === null) throw new Error('A redriven run is gone.');
    expect(await awaitEnd(house.app, row)).toMatchObject({ outcome: 'verified', attempts: 1, run: 2 });
  }
});
