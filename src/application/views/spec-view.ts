import type { Catalogue } from '../../spec/catalogue.js';
import type { JsonSchema } from '../../spec/json-schema.js';
import type { Spec } from '../../spec/spec.js';

/** One version of a spec: what it is called, its bounds, and its rules in words. */
export interface SpecView {
  readonly id: string;
  readonly title: string;
  readonly schemaVersion: string;
  readonly promptVersion: string;
  /** New extractions start under this version. */
  readonly current: boolean;
  /** Null: each model is asked in the mode that suits it. */
  readonly mode: string | null;
  readonly attemptCap: number;
  readonly deadlineMs: number;
  readonly tokenCap: number;
  readonly models: readonly string[];
  readonly rules: readonly { readonly id: string; readonly version: number; readonly says: string }[];
}

/** With what a verified record looks like. */
export interface SpecSheetView extends SpecView {
  readonly recordSchema: JsonSchema;
}

/** Every version of every spec. */
export function viewSpecs(catalogue: Pick<Catalogue, 'list' | 'current'>): readonly SpecView[] {
  return catalogue.list().map((spec) => viewSpec(spec, catalogue.current(spec.id) === spec));
}

/** A spec as new extractions are started under it. */
export function viewSpecSheet(spec: Spec): SpecSheetView {
  return { ...viewSpec(spec, true), recordSchema: spec.jsonSchema };
}

function viewSpec(spec: Spec, current: boolean): SpecView {
  const { attemptCap, deadlineMs, tokenCap, models } = spec.policy;
  return {
    id: spec.id,
    title: spec.title,
    schemaVersion: spec.schemaVersion,
    promptVersion: spec.prompt.version,
    current,
    mode: spec.mode,
    attemptCap,
    deadlineMs,
    tokenCap,
    models,
    rules: spec.constraints.map(({ id, version, says }) => ({ id, version, says })),
  };
}
