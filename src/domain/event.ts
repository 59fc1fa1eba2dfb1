import type { AttemptReport } from './attempt-report.js';
import type { Fault } from './fault.js';
import type { Spending } from './usage.js';

/** Everything that can happen to a run. Past tense; each carries its instant; `evolve` has no clock. */
export type ExtractionEvent =
  | { readonly kind: 'AttemptReported'; readonly at: number; readonly report: AttemptReport }
  | {
      readonly kind: 'AttemptFailed';
      readonly at: number;
      readonly attempt: number;
      readonly fault: Fault;
      /** All calls of this attempt so far, with those of earlier activity runs; null when nobody could tell. */
      readonly spending: Spending | null;
    }
  | { readonly kind: 'PermitGranted'; readonly at: number; readonly attempt: number }
  | { readonly kind: 'PermitDenied'; readonly at: number; readonly attempt: number }
  | { readonly kind: 'WaitEnded'; readonly at: number }
  | { readonly kind: 'CancelRequested'; readonly at: number }
  | { readonly kind: 'CapLowered'; readonly at: number; readonly cap: number }
  | { readonly kind: 'BatchBudgetExhausted'; readonly at: number };
