import type { KeptEvaluation } from '../../ports/evaluation-store.js';
import { instant } from './instant.js';

/** A kept evaluation as callers see it. Instants are ISO 8601. */
export interface EvaluationView extends Omit<KeptEvaluation, 'specId' | 'beganAt' | 'endedAt'> {
  readonly spec: string;
  readonly beganAt: string;
  readonly endedAt: string;
}

export function viewEvaluation({ specId, beganAt, endedAt, ...rest }: KeptEvaluation): EvaluationView {
  return { spec: specId, ...rest, beganAt: instant(beganAt), endedAt: instant(endedAt) };
}
