import { batchCap } from '../domain/batch-burn.js';
import { type Spread, spreadOf } from '../planner/samples.js';
import { randomArrivals } from './arrivals.js';
import { type Dice, pick } from './dice.js';
import { type DocumentKind, type Scenario, scenarioFault } from './scenario.js';
import type { Count, TimeLine } from './tally.js';
import { type Run, World } from './world.js';

/** A document that had not ended when the simulation was looked at. */
export interface OpenDocument {
  readonly id: string;
  readonly kind: string;
  readonly sinceMs: number;
  readonly attempts: number;
  readonly tokens: number;
}

export interface SlotsUsed {
  readonly name: string;
  readonly slots: number;
  readonly utilisation: number;
  readonly meanWaitMs: number;
  readonly p99WaitMs: number;
  readonly mostQueued: number;
}

/** What came of a scenario. Documents, attempts and calls are counted apart. */
export interface Simulation {
  readonly seed: number;
  readonly endedAt: number;
  readonly documents: number;
  /** Documents of the scenario that had not arrived when it was looked at (`stopAt`). */
  readonly notArrived: number;
  readonly verified: number;
  readonly unverified: number;
  readonly open: number;
  /** The longest under way first, ten at most. */
  readonly openDocuments: readonly OpenDocument[];
  readonly latency: Spread;
  readonly yield: readonly { readonly attempt: number; readonly reached: number; readonly passed: number }[];
  readonly reasons: readonly Count[];
  /** Rejected attempts by class. */
  readonly classes: readonly { readonly name: string; readonly attempts: number }[];
  readonly routes: readonly Count[];
  /** Requests on the wire: those that brought a reply or ran into the deadline, and those that failed on the way. */
  readonly calls: { readonly primaries: number; readonly repairs: number; readonly failed: number };
  /** Repairs per primary call, a call that was made again counted once. */
  readonly repairShare: number;
  readonly permitsDenied: number;
  readonly tokens: number;
  /** The cap at the end: a batch may have lowered it. 0: its budget was gone. */
  readonly cap: number;
  readonly slots: readonly SlotsUsed[];
  readonly timeline: readonly TimeLine[];
}

/** How many documents arrive between two words of how far it is. */
const toldEvery = 1_000;

/**
 * Runs a scenario to its end. The same scenario and seed give the same result, to the byte. `seed` is a whole number.
 * `tell` hears now and then how many documents have arrived. Throws RangeError, in one sentence, for a scenario that
 * cannot be simulated.
 */
export function simulate(scenario: Scenario, seed: number, tell?: (arrived: number) => void): Simulation {
  const fault = scenarioFault(scenario);
  if (fault !== null) throw new RangeError(fault);
  const { documents, stopAt, policy } = scenario;
  const total = documents + scenario.planted.length;
  const batch = { cap: policy.attemptCap, isGone: false, completedSince: 0, tokensSince: 0 };
  let arrived = 0;
  let landed = 0;

  const ordinary = (dice: Dice): DocumentKind => pick(dice, scenario.kinds);
  const world = new World(scenario, seed, (run) => {
    landed += 1;
    if (scenario.batchTokens !== null) burn(run, scenario.batchTokens);
    // On the agenda and not at once, so that documents that end at once do not pile up on the stack.
    if (arrivals.kind === 'window') world.agenda.add(world.now, comeIn);
  });
  const comeIn = () => {
    if (arrived >= documents) return;
    arrived += 1;
    if (arrived % toldEvery === 0) tell?.(arrived);
    world.arrive(arrived - 1, ordinary, batch);
  };

  function burn(run: Run, budgetTokens: number): void {
    batch.completedSince += 1;
    batch.tokensSince += run.state.tokens;
    const spent = { budgetTokens, documents: total, completed: landed, tokens: world.tally.tokens };
    const cap = batchCap({ ...spent, ...batch });
    if (cap === batch.cap || batch.isGone) return;
    if (cap === 0) batch.isGone = true;
    else Object.assign(batch, { cap, completedSince: 0, tokensSince: 0 });
    for (const other of world.running) {
      world.record(other, { kind: 'CapLowered', at: world.now, cap: Math.max(1, cap) });
    }
  }

  const { arrivals } = scenario;
  for (const [index, { at, kind }] of scenario.planted.entries()) {
    const planted = scenario.kinds.find(({ name }) => name === kind) as DocumentKind;
    world.agenda.add(at, () => world.arrive(documents + index, () => planted, batch));
  }
  const instants = arrivals.kind === 'random' ? randomArrivals(seed, arrivals.phases) : null;
  if (arrivals.kind === 'window') {
    for (let place = 0; place < arrivals.inFlight; place += 1) world.agenda.add(0, comeIn);
  }
  const nextInstant = () =>
    instants === null || arrived >= documents ? Number.POSITIVE_INFINITY : instants.next().value;

  const end = stopAt ?? Number.POSITIVE_INFINITY;
  for (let instant = nextInstant(); ; ) {
    const at = Math.min(instant, world.agenda.nextAt);
    if (at === Number.POSITIVE_INFINITY || at > end) break;
    world.now = at;
    world.tally.begin(at, () => world.busy());
    if (instant <= world.agenda.nextAt) {
      comeIn();
      instant = nextInstant();
    } else {
      world.agenda.take()?.();
    }
  }
  if (stopAt !== null) world.now = stopAt;
  for (const run of world.running) world.tally.stillOpen(run.arrivedAt, world.now);
  return resultOf(world, seed, total, batch.isGone ? 0 : batch.cap);
}

function resultOf(world: World, seed: number, total: number, cap: number): Simulation {
  const { tally, servers, now } = world;
  const { first, repair } = servers;
  const named = first === repair ? ([['pool', first]] as const) : Object.entries(servers);
  return {
    seed,
    endedAt: now,
    documents: tally.documents,
    notArrived: total - tally.documents,
    verified: tally.verified,
    unverified: tally.ended.count - tally.verified,
    open: tally.open.count,
    openDocuments: [...world.running].slice(0, 10).map((run) => ({
      id: run.id,
      kind: run.kind.name,
      sinceMs: now - run.arrivedAt,
      attempts: run.state.attempts,
      tokens: run.state.tokens,
    })),
    latency: spreadOf(tally.ended, tally.open),
    yield: tally.yield.map((row, index) => ({ attempt: index + 1, ...row })),
    reasons: tally.by('reasons'),
    classes: tally.by('classes').map(({ name, documents }) => ({ name, attempts: documents })),
    routes: tally.by('routes'),
    calls: { primaries: tally.primaries, repairs: tally.repairs, failed: tally.failedCalls },
    repairShare: tally.begun.first === 0 ? 0 : tally.begun.repair / tally.begun.first,
    permitsDenied: tally.permitsDenied,
    tokens: tally.tokens,
    cap,
    slots: named.map(([name, server]) => {
      const sorted = server.waits.sorted();
      return {
        name,
        slots: server.slots,
        utilisation: server.utilisation(now),
        meanWaitMs: server.waits.mean,
        p99WaitMs: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
        mostQueued: server.mostQueued,
      };
    }),
    timeline: tally.timeline(),
  };
}
