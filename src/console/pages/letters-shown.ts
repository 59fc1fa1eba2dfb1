import type { DeadLetterView } from '../../application/views/dead-letter-view.js';
import type { DeadLetterGroup, LetterState } from '../../ports/dead-letter-store.js';
import type { EngineRun } from '../../ports/engine.js';
import type { Spec } from '../../spec/spec.js';
import type { DryRun } from '../letter-groups.js';
import type { Visitor } from '../visitor.js';

/** Parked runs in groups, the letters of one, and what running some again would come to. */
export interface LettersShown {
  readonly groups: readonly DeadLetterGroup[];
  /** Anything was ever extracted; asked for only where no group is. */
  readonly hasRun: boolean;
  readonly chosen: readonly DeadLetterGroup[];
  /** The group whose letters are listed; null: those of all. */
  readonly open: DeadLetterGroup | null;
  readonly spec: string | undefined;
  readonly tenant: string | undefined;
  readonly state: LetterState;
  /** Under which prompt they would run; null: under their own. */
  readonly prompt: string | null;
  readonly perMinute: number;
  readonly dry: readonly DryRun[];
  readonly redrives: readonly EngineRun[];
  readonly rows: readonly DeadLetterView[];
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly specs: readonly Spec[];
  readonly visitor: Visitor;
  readonly now: number;
}
