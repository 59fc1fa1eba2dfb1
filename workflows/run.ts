import { condition, patched, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { AttemptReport } from '../src/domain/attempt-report.js';
import { decide } from '../src/domain/decide.js';
import type { AttemptDecision, Ending } from '../src/domain/decision.js';
import type { ExtractionEvent } from '../src/domain/event.js';
import { evolve } from '../src/domain/evolve.js';
import type { ExtractionInput, RunProgress } from '../src/domain/extraction-input.js';
import { initialState } from '../src/domain/initial-state.js';
import { addCost } from '../src/domain/spent.js';
import type { ExtractionState } from '../src/domain/state.js';
import type { Spending } from '../src/domain/usage.js';
import { attemptActivity, permitActivity } from './activity-proxies.js';
import { faultOf } from './attempt-failure.js';
import { attemptTable } from './attempt-table.js';
import { refOf } from './landing.js';

/** State of a running extraction. A class only to keep the handlers and the loop on the same variables. */
export class Run {
  state: ExtractionState;
  readonly reports: AttemptReport[] = [];
  withdrewReview = false;
  /** What the attempt under way told of its calls in activity runs that failed; null when that is nothing. */
  private told: Pick<Spending, 'tokens' | 'cost'> | null = null;
  private phase: 'attempting' | 'waiting' | 'landing' = 'attempting';
  private readonly input: ExtractionInput;

  constructor(input: ExtractionInput) {
    this.input = input;
    this.state = initialState(input.policy, workflowInfo().startTime.getTime());
    if (input.batchBudgetGone) this.record({ kind: 'BatchBudgetExhausted', at: Date.now() });
  }

  record(event: ExtractionEvent): void {
    this.state = evolve(this.state, event);
  }

  async loop(): Promise<Ending> {
    for (;;) {
      const decision = decide(this.state, Date.now());
      switch (decision.kind) {
        case 'land':
          this.phase = 'landing';
          return decision.ending;
        case 'wait':
          this.phase = 'waiting';
          await condition(() => this.state.cancelRequested, decision.pauseMs);
          this.record({ kind: 'WaitEnded', at: Date.now() });
          break;
        case 'permit':
          this.record(await this.askPermit(decision.attempt));
          break;
        case 'attempt':
          this.phase = 'attempting';
          this.record(await this.attempt(decision));
          break;
      }
    }
  }

  private async attempt(decision: AttemptDecision): Promise<ExtractionEvent> {
    const { repairLaneWaitMs, transport } = this.input.policy;
    const remainingMs = this.remainingMs();
    const run = attemptActivity(decision, remainingMs, repairLaneWaitMs);
    try {
      const { report, withdrewReview } = await run({
        ref: refOf(this.input),
        decision,
        transport,
      });
      this.reports.push(report);
      this.withdrewReview ||= withdrewReview;
      setCurrentDetails(attemptTable(this.reports));
      const spent = this.spentBy(report);
      this.told = null;
      return { kind: 'AttemptReported', at: Date.now(), report: spent };
    } catch (error) {
      const { fault, spending } = faultOf(
        error,
        decision.lane === 'repair' && repairLaneWaitMs < remainingMs,
      );
      const spent = spending === null ? null : this.spentBy(spending);
      // What cost nothing adds nothing, so an outage as they usually are leaves no mark in the history.
      if (spent !== null && spent.tokens > 0) this.told = spent;
      return {
        kind: 'AttemptFailed',
        at: Date.now(),
        attempt: decision.attempt,
        fault,
        spending: spent,
      };
    }
  }

  /**
   * Each activity run of an attempt tells what the attempt has spent by then, earlier runs included. It was once added to
   * what those had told, so histories of that time were decided on sums with some calls in them twice, and must be again.
   */
  private spentBy<T extends Pick<Spending, 'tokens' | 'cost'>>(tells: T): T {
    const { told } = this;
    if (told === null || patched('attempt-tells-all-it-spent')) return tells;
    const [cost = tells.cost] = addCost([told.cost], tells.cost);
    return { ...tells, tokens: told.tokens + tells.tokens, cost };
  }

  private async askPermit(attempt: number): Promise<ExtractionEvent> {
    try {
      const granted = await permitActivity(this.remainingMs())({ ref: refOf(this.input), attempt });
      return { kind: granted ? 'PermitGranted' : 'PermitDenied', at: Date.now(), attempt };
    } catch (error) {
      return { kind: 'AttemptFailed', at: Date.now(), attempt, ...faultOf(error) };
    }
  }

  /** A bug in this workflow must not hang the document: it lands as `internal_error`. */
  broken(): Ending {
    this.record({
      kind: 'AttemptFailed',
      at: Date.now(),
      attempt: this.state.attempts + 1,
      fault: 'internal_error',
      spending: null,
    });
    const decision = decide(this.state, Date.now());
    if (decision.kind === 'land') return decision.ending;
    throw new Error('the domain did not end a broken run');
  }

  progress(): RunProgress {
    return {
      key: this.input.key,
      run: this.input.run,
      attemptsMade: this.state.attempts,
      cap: this.state.cap,
      tokens: this.state.tokens,
      deadlineAt: this.state.deadlineAt,
      phase: this.state.ending === null ? this.phase : ('ended' as const),
    };
  }

  /** At least 1 ms: an activity timeout of 0 would mean "none". */
  private remainingMs(): number {
    return Math.max(1, this.state.deadlineAt - Date.now());
  }
}
