import type { Spec } from '../spec/spec.js';
import { get } from '../verification/pointer.js';

/** What a rule works out for a field from the rest of the record, beside what the field holds. */
export interface Arithmetic {
  readonly rule: string;
  readonly says: string;
  readonly pointer: string;
  readonly computed: string;
  /** Null when the record has no such field, or no text in it. */
  readonly holds: string | null;
}

/**
 * The arithmetic of every rule that can say which value it wants, met or not: a person who changes one amount sees what
 * that does to the others. The record may be of any shape; a rule that stumbles over it says nothing.
 */
export function arithmeticOf(spec: Spec, record: unknown): readonly Arithmetic[] {
  return spec.constraints.flatMap((rule) => {
    const wanted = wantedBy(rule, record);
    if (wanted === null) return [];
    const { pointer, value: computed } = wanted;
    const held = get(record, pointer);
    return [
      { rule: rule.id, says: rule.says, pointer, computed, holds: typeof held === 'string' ? held : null },
    ];
  });
}

function wantedBy(rule: Spec['constraints'][number], record: unknown) {
  try {
    return rule.wanted?.(record, { text: null, previous: null }) ?? null;
  } catch {
    return null;
  }
}
