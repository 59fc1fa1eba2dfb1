/**
 * What a field must be, so that a rule can look at it: a `number` (money, decimal, percent, count), a `currency` code, a
 * `date`, a `list` of records, or any single `value`.
 */
export type FieldRole = 'number' | 'currency' | 'date' | 'list' | 'value';

/** A field that an option of a ready-made rule names. */
export interface NamedField {
  /** "quantity". */
  readonly option: string;
  /** As its author wrote it; anything at all, since spec files run without a type checker. */
  readonly written: unknown;
  readonly role: FieldRole;
  /** Pointer of the list that it is a column of; absent: `written` is a pointer of its own. */
  readonly columnOf?: string;
  /** May `*` stand in it? Absent: it must name one value. */
  readonly many?: true;
  /** Values that the rule knows the field by; each must be possible where the field has a fixed choice. */
  readonly values?: readonly string[];
}

/**
 * How a ready-made rule was made. A rule whose options name no field would never find anything wrong, so a spec compares
 * the names with its fields; and it is what a version label stands for.
 */
export interface Making {
  /** The function that made it: "lineArithmetic". */
  readonly by: string;
  readonly options: object;
  /** Every option there is. */
  readonly takes: readonly string[];
  readonly names: readonly NamedField[];
  /** What is wrong with the options otherwise, such as "tolerance.amount must be a plain decimal text". */
  readonly fault?: string | null;
}

/** The names in a list of patterns, one by one; what is no list is handed on as it is, to be refused. */
export function manyNamed(option: string, written: unknown, role: FieldRole): readonly NamedField[] {
  const each: readonly unknown[] = Array.isArray(written) && written.length > 0 ? written : [undefined];
  return each.map((pattern) => ({ option, written: pattern, role, many: true }));
}

/** The name in an option that may be left out. */
export function maybeNamed(option: string, written: unknown, role: FieldRole): readonly NamedField[] {
  return written === undefined ? [] : [{ option, written, role }];
}
