import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Chance } from '../../samples/generator/chance.js';
import { eventually } from '../support/eventually.js';
import { held } from '../support/model-relay.js';
import { called, redrive, redriven, submit } from './desk.js';
import { fine, papersOfEachKind, plannedClaim, refused, stubborn } from './papers.js';
import { parked, type Suffered } from './races.js';
import type { Stack } from './stack.js';

/** How hard it is struck. */
interface Force {
  /** Kills of each part. */
  readonly kills: number;
  readonly storeDownMs: number;
  readonly chance: Chance;
}

/** What is killed, and what was handed in meanwhile. Resolves once everything runs again; documents may still be under way. */
type Killing = (stack: Stack, tenant: string, force: Force) => Promise<Suffered>;

/** Hands in documents of every kind and strikes while they run, again and again. */
const struck =
  (part: keyof Stack['strikes'], withinMs: number): Killing =>
  async (stack, tenant, { kills, chance }) => {
    const ids: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const papers = await papersOfEachKind(stack.models, chance.whole(0, 2 ** 30), chance);
      const taken = Promise.all(papers.map((paper) => submit(stack, tenant, paper)));
      taken.catch(() => undefined);
      await pause(chance.whole(0, withinMs));
      await stack.strikes[part](chance.whole(0, 300));
      ids.push(...(await taken));
    }
    return { ids, documents: ids.length };
  };

/**
 * The first two kills come between the commit of an answer and word of it: what was stored must not be paid for again.
 * Both workers, since either may have the call.
 */
const workerStruck: Killing = async (stack, tenant, { kills, chance }) => {
  const answer = held(fine);
  const paper = plannedClaim(stack.models, [answer.turn]);
  const id = await submit(stack, tenant, paper);
  await called(stack, paper, 1);
  stack.link.cut();
  answer.release();
  await eventually(async () =>
    expect(await stack.sql('select from attempts where key = $1', [id])).toHaveLength(1),
  );
  await Promise.all([stack.strikes.worker(0), stack.strikes.worker(0)]);
  const rest = await struck('worker', 1_500)(stack, tenant, { kills: kills - 2, storeDownMs: 0, chance });
  return { ids: [id, ...rest.ids], documents: rest.documents + 1 };
};

const inRedrive = (kills: number) => Math.ceil(kills / 2);

/** A redrive of two dozen letters, and a worker that is killed in the middle of it. */
const redriveStruck: Killing = async (stack, tenant, { kills, chance }) => {
  const slow = { behaviour: { latencyMs: 150 } };
  const later = Array.from({ length: 24 }, (_, index) => [slow, stubborn, refused][index % 3] ?? slow);
  const { ids } = await parked(stack, tenant, later);
  const id = await redrive(stack, { tenant });
  for (let kill = 0; kill < inRedrive(kills); kill += 1) {
    await pause(chance.whole(0, 1_000));
    await stack.strikes.worker(0);
  }
  const afterwards = async () => {
    const report = await redriven(stack, id);
    expect(report).toMatchObject({ state: 'finished', parked: 24, selected: 24, underWay: 0 });
    // What else is killed meanwhile may cost one or the other its recovery.
    expect(report.recovered + report.returned).toBe(24);
    const again = await redriven(stack, await redrive(stack, { tenant }));
    expect(again).toMatchObject({ started: 0 });
  };
  return { ids, documents: ids.length, afterwards };
};

/** Answers that come while the store is away, and documents that are handed in then. */
const storeAway: Killing = async (stack, tenant, { storeDownMs, chance }) => {
  const answers = Array.from({ length: 4 }, () => held(fine));
  const papers = answers.map(({ turn }) => plannedClaim(stack.models, [turn]));
  const ids = await Promise.all(papers.map((paper) => submit(stack, tenant, paper)));
  await Promise.all(papers.map((paper) => called(stack, paper, 1)));
  const away = stack.strikes.postgres(storeDownMs);
  for (const { release } of answers) release();
  const others = await papersOfEachKind(stack.models, chance.whole(0, 2 ** 30), chance);
  const taken = Promise.all(others.map((paper) => submit(stack, tenant, paper)));
  taken.catch(() => undefined);
  await away;
  ids.push(...(await taken));
  return { ids, documents: ids.length };
};

/**
 * One after another: what is killed for one must be back for the next. A lost worker is noticed last, so that it comes
 * first.
 */
export function killings({ kills, storeDownMs }: Pick<Force, 'kills' | 'storeDownMs'>) {
  const times = `killed ${kills} times`;
  return {
    [`worker ${times}`]: workerStruck,
    [`worker killed ${inRedrive(kills)} times during a redrive`]: redriveStruck,
    [`Temporal ${times}`]: struck('temporal', 1_500),
    [`Postgres ${times}`]: struck('postgres', 1_500),
    [`store away for ${storeDownMs / 1_000} s`]: storeAway,
    [`API ${times}`]: struck('api', 400),
  } satisfies Readonly<Record<string, Killing>>;
}
