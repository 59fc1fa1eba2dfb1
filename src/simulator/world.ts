import { nextRetry } from '../domain/backoff.js';
import { decide } from '../domain/decide.js';
import type { AttemptDecision, Ending } from '../domain/decision.js';
import type { ExtractionEvent } from '../domain/event.js';
import { evolve } from '../domain/evolve.js';
import type { Fault } from '../domain/fault.js';
import { initialState } from '../domain/initial-state.js';
import { chooseRoute } from '../domain/routing.js';
import type { ExtractionState } from '../domain/state.js';
import { Agenda } from './agenda.js';
import { answer } from './answer.js';
import { createDice, type Dice, documentId } from './dice.js';
import { RepairTraffic } from './repair-traffic.js';
import type { DocumentKind, Incident, Scenario } from './scenario.js';
import { Server } from './server.js';
import { Tally } from './tally.js';

/** A call that fails on the way fails fast. */
const failedCallMs = 200;

/** One document on its way. */
export interface Run {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly dice: Dice;
  readonly arrivedAt: number;
  state: ExtractionState;
  /** Changes whenever what the run waits for has come or is given up. */
  ticket: number;
  /** The attempt it waits for a slot for, or waited for last. */
  queuedFor: AttemptDecision | null;
  failedCalls: number;
  /** The attempt that it made a call for last. */
  calledFor: number;
  holdsSlot: boolean;
  templateRecognised: boolean;
}

/** The slots, the clock and the documents of a simulation. Decisions are the domain's; this only lets time pass. */
export class World {
  readonly agenda = new Agenda<() => void>();
  readonly tally: Tally;
  readonly running = new Set<Run>();
  readonly servers: { readonly first: Server<Run>; readonly repair: Server<Run> };
  now = 0;
  private readonly scenario: Scenario;
  private readonly seed: number;
  private readonly traffic: RepairTraffic;
  private readonly onLanded: (run: Run) => void;

  constructor(scenario: Scenario, seed: number, onLanded: (run: Run) => void) {
    const { slots } = scenario;
    this.scenario = scenario;
    this.seed = seed;
    this.onLanded = onLanded;
    this.tally = new Tally(scenario.lineMs);
    this.traffic = new RepairTraffic(scenario.repairBudget);
    const pool = new Server<Run>(slots.kind === 'pool' ? slots.pool : slots.first);
    this.servers = { first: pool, repair: slots.kind === 'pool' ? pool : new Server<Run>(slots.repair) };
  }

  /** Slots busy by lane, and how many documents are under way. */
  busy(): Readonly<Record<string, number>> {
    const { first, repair } = this.servers;
    const lanes = first === repair ? { pool: first.busy } : { first: first.busy, repair: repair.busy };
    return { ...lanes, documents: this.running.size };
  }

  /** A document arrives. `cap` and `isBatchGone` are what its batch says by then. */
  arrive(
    index: number,
    kindOf: (dice: Dice) => DocumentKind,
    batch: { readonly cap: number; readonly isGone: boolean },
  ): void {
    const { now } = this;
    const dice = createDice(this.seed, index);
    const kind = kindOf(dice);
    const run: Run = {
      id: documentId(this.seed, index),
      kind,
      dice,
      arrivedAt: now,
      state: initialState(this.scenario.policy, now),
      ticket: 0,
      queuedFor: null,
      failedCalls: 0,
      calledFor: 0,
      holdsSlot: false,
      templateRecognised: dice.next() < kind.templateShare,
    };
    this.running.add(run);
    this.tally.arrived(now);
    if (batch.isGone) this.record(run, { kind: 'BatchBudgetExhausted', at: now });
    else if (batch.cap < run.state.cap) this.record(run, { kind: 'CapLowered', at: now, cap: batch.cap });
    this.proceed(run);
  }

  record(run: Run, event: ExtractionEvent): void {
    run.state = evolve(run.state, event);
  }

  /** The loop around `decide`: until the run waits for something, or has ended. */
  private proceed(run: Run): void {
    for (;;) {
      const { now } = this;
      const decision = decide(run.state, now);
      switch (decision.kind) {
        case 'land':
          this.land(run, decision.ending);
          return;
        case 'wait':
          this.later(decision.pauseMs, () => this.happened(run, { kind: 'WaitEnded', at: this.now }));
          return;
        case 'permit': {
          const granted = this.traffic.permit(now);
          if (!granted) this.tally.denied(now);
          const kind = granted ? 'PermitGranted' : 'PermitDenied';
          this.record(run, { kind, at: now, attempt: decision.attempt });
          break;
        }
        case 'attempt':
          run.failedCalls = 0;
          this.queue(run, decision);
          return;
      }
    }
  }

  private happened(run: Run, event: ExtractionEvent): void {
    this.record(run, event);
    this.proceed(run);
  }

  private later(pauseMs: number, act: () => void): void {
    this.agenda.add(this.now + pauseMs, act);
  }

  private queue(run: Run, decision: AttemptDecision): void {
    const server = this.servers[decision.lane];
    if (run.holdsSlot || server.enter(this.now)) {
      run.holdsSlot = true;
      this.call(run, decision);
      return;
    }
    run.ticket += 1;
    const { ticket } = run;
    run.queuedFor = decision;
    server.wait(run, this.now);
    const isRepair = decision.lane === 'repair' && this.scenario.slots.kind === 'lanes';
    const laneEnd = isRepair ? this.now + this.scenario.policy.repairLaneWaitMs : Number.POSITIVE_INFINITY;
    const fault: Fault = laneEnd < run.state.deadlineAt ? 'no_capacity' : 'deadline';
    this.agenda.add(Math.min(laneEnd, run.state.deadlineAt), () => {
      if (run.ticket !== ticket) return;
      run.ticket += 1;
      server.leave();
      this.fail(run, decision, fault, 0);
    });
  }

  private release(run: Run, lane: AttemptDecision['lane']): void {
    run.holdsSlot = false;
    const next = this.servers[lane].release(this.now);
    if (next === null || next.queuedFor === null) return;
    next.ticket += 1;
    next.holdsSlot = true;
    this.call(next, next.queuedFor);
  }

  /** In lanes a slot is given back after each call. */
  private afterCall(run: Run, { lane }: AttemptDecision): void {
    if (this.scenario.slots.kind === 'lanes') this.release(run, lane);
  }

  private call(run: Run, decision: AttemptDecision): void {
    const { now } = this;
    const { deadlineAt } = run.state;
    // A call that failed on the way and is made again is no more traffic than the attempt it is made for.
    if (run.calledFor < decision.attempt) {
      run.calledFor = decision.attempt;
      this.tally.began(decision.attempt);
      if (decision.attempt === 1) this.traffic.primary(now);
    }
    if (this.isDuring('outage')) {
      this.tally.called(now, decision.attempt, true);
      this.later(failedCallMs, () => this.callFailed(run, decision));
      return;
    }
    this.tally.called(now, decision.attempt, false);
    const { policy } = this.scenario;
    const report = answer(run.dice, run.id, run.kind, policy, decision, this.isDuring('bad_prompt'));
    if (now + report.durationMs > deadlineAt) {
      const spent = run.kind.inputTokens + decision.maxTokens;
      this.agenda.add(Math.max(now, deadlineAt), () => {
        this.afterCall(run, decision);
        this.fail(run, decision, 'deadline', spent);
      });
      return;
    }
    this.later(report.durationMs, () => {
      this.tally.tokens += report.tokens;
      this.tally.reported(report);
      this.afterCall(run, decision);
      this.happened(run, { kind: 'AttemptReported', at: this.now, report });
    });
  }

  private callFailed(run: Run, decision: AttemptDecision): void {
    run.failedCalls += 1;
    this.afterCall(run, decision);
    const retry = nextRetry(run.state.policy.transport, {
      failedCalls: run.failedCalls,
      retryAfterMs: null,
      random: run.dice.next(),
      leftMs: run.state.deadlineAt - this.now,
      estimateMs: decision.estimateMs,
    });
    if (retry.kind === 'retry') this.later(retry.delayMs, () => this.queue(run, decision));
    else this.fail(run, decision, 'provider_unavailable', 0);
  }

  private fail(run: Run, { attempt }: AttemptDecision, fault: Fault, tokens: number): void {
    this.tally.tokens += tokens;
    const spending = { tokens, cost: { amount: '0', currency: 'XXX' }, known: tokens === 0 };
    this.happened(run, { kind: 'AttemptFailed', at: this.now, attempt, fault, spending });
  }

  private land(run: Run, ending: Ending): void {
    this.running.delete(run);
    if (run.holdsSlot) this.release(run, 'first');
    if (run.calledFor > run.state.attempts) this.tally.unanswered(run.calledFor);
    const route = ending.kind === 'verified' ? null : this.routeOf(run, ending);
    this.tally.landed(run.arrivedAt, this.now, ending, route);
    this.onLanded(run);
  }

  private routeOf(run: Run, ending: Extract<Ending, { kind: 'unverified' }>): string | null {
    const facts = {
      reason: ending.reason,
      failureClass: ending.failureClass,
      repliesRead: ending.repliesRead,
      amount: null,
      templateRecognised: run.templateRecognised,
      hasCandidate: run.state.candidates.length > 0,
      tenant: 'default',
      tags: [],
      pages: null,
    };
    return chooseRoute(run.state.policy.routes, facts, []);
  }

  private isDuring(kind: Incident['kind']): boolean {
    return this.scenario.incidents.some(
      (each) => each.kind === kind && this.now >= each.from && this.now < each.to,
    );
  }
}
