import type { z } from 'zod';
import type { Money } from '../domain/money.js';
import type { Policy } from '../domain/policy.js';
import type { RepairBudget } from '../domain/repair-budget.js';
import type { RequestMode } from '../domain/request-mode.js';
import type { Constraint } from '../verification/constraint.js';
import type { Fields } from './field.js';
import type { JsonSchema } from './json-schema.js';
import type { Template } from './template.js';

export interface Prompt {
  readonly version: string;
  /** Instructions before the schema and the rules; the document is wrapped and added by the extractor. */
  readonly text: string;
}

/** What to extract from a kind of document, and under which bounds. Made by `defineSpec`. */
export interface Spec<T = unknown> {
  readonly id: string;
  readonly title: string;
  /** Covers the schema and the constraints' ids and versions. */
  readonly schemaVersion: string;
  readonly prompt: Prompt;
  /** What the schema and the wire schema are made of. */
  readonly fields: Fields;
  readonly schema: z.ZodType<T>;
  readonly jsonSchema: JsonSchema;
  readonly constraints: readonly Constraint<T>[];
  readonly templates: readonly Template[];
  readonly policy: Policy;
  readonly repairBudget: RepairBudget;
  /** Overrides the model table's request mode. */
  readonly mode: RequestMode | null;
  /** May a record verify although no text layer could ground its values? */
  readonly allowUngrounded: boolean;
  /** Share of verified records, from 0 to 1, that a person is asked about too: how wrong passes become visible. */
  readonly sampleShare: number;
  /** The amount that routing and the review queue order by; null when the record has none. */
  amount(record: T): Money | null;
  /**
   * Records that satisfy every rule, in this currency, whose amounts use all of its `minorUnits` decimals.
   * `endstop spec check` runs the rules on them in every minor-unit class; null: only truth records are checked.
   */
  readonly examples: ((currency: string, minorUnits: number) => readonly T[]) | null;
  /** SHA-256 inputs: canonical texts whose change must come with a new label. */
  readonly contents: {
    readonly schema: string;
    /** How the rules were made: names and options of the ready-made ones, ids of the author's own, and prints of the fields. */
    readonly rules?: string;
    readonly prompt: string;
  };
}
