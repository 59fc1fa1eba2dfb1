import type { FailureClass } from './failure-class.js';
import type { Reason } from './reason.js';

/** One run of one extraction. */
export interface RunId {
  readonly key: string;
  readonly run: number;
}

/** Which parked letters: each field that is given must hold. Those of evaluations only when their tenant is named. */
export interface LetterSelection {
  readonly tenant?: string;
  readonly specId?: string;
  readonly reason?: Reason;
  readonly failureClass?: FailureClass;
  /** The versions they failed under. */
  readonly promptVersion?: string;
  readonly schemaVersion?: string;
}

/** What a redrive of many is asked to do. Labels and counts only: it enters workflow history. */
export interface RedriveOrder {
  readonly id: string;
  readonly selection: LetterSelection;
  /** Run them under this prompt version; null: under the versions each failed with. */
  readonly promptVersion: string | null;
  /** Run at most this many, oldest first; null: all of them. */
  readonly most: number | null;
  /** Runs under way at once. */
  readonly inFlight: number;
  /** Starts in a second; null: as fast as places become free. */
  readonly perSecond: number | null;
  /** Letters parked later (epoch ms) are left for another redrive. */
  readonly beganAt: number;
  /** How many the selection held when it began: what progress is measured against. */
  readonly parked: number;
}

/** How the runs of a batch stand, counted from their rows. */
export interface BatchTally {
  readonly open: number;
  readonly verified: number;
  readonly unverified: Readonly<Partial<Record<Reason, number>>>;
}

/**
 * What a redrive came to so far. `stopped`: its workflow was ended from outside; asking for it again goes on with it.
 * selected = started + attached + alreadyVerified + taken + refused.
 */
export interface RedriveReport {
  readonly id: string;
  readonly state: 'running' | 'finished' | 'cancelled' | 'stopped';
  readonly parked: number;
  readonly selected: number;
  readonly started: number;
  /** Their run was under way already, started by somebody else; followed like the others. */
  readonly attached: number;
  readonly recovered: number;
  /** Ended unverified again, in all and by reason. */
  readonly returned: number;
  readonly returnedBy: Readonly<Partial<Record<Reason, number>>>;
  readonly alreadyVerified: number;
  /** Another redrive was first. */
  readonly taken: number;
  /** The worker does not know the spec version they would run under, its label changed, or a fault; they stay parked. */
  readonly refused: number;
  readonly underWay: number;
}

/** One piece of a redrive: look how its runs fare, then fill the places that are free. */
export interface RedriveStep {
  readonly order: RedriveOrder;
  /** Where the last piece stopped in the selection. */
  readonly cursor: string | null;
  /** Start at most this many; 0: only look. */
  readonly most: number;
  /** Runs of this redrive that are accounted for. More of them mean that a piece before was lost after it had started some. */
  readonly accounted: number;
  readonly attached: readonly RunId[];
}

export interface RedriveStepped {
  readonly cursor: string | null;
  /** Nothing is left of the selection. */
  readonly isExhausted: boolean;
  readonly batch: BatchTally;
  /** Attached runs that are still under way, old and new. */
  readonly attached: readonly RunId[];
  readonly newlyAttached: number;
  /** How attached runs ended since the last piece. */
  readonly attachedEnded: Pick<BatchTally, 'verified' | 'unverified'>;
  readonly alreadyVerified: number;
  readonly taken: number;
  readonly refused: number;
}
