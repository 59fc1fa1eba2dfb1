import type { FieldReading } from '../application/review-fields.js';
import type { DocumentText } from '../verification/document-text.js';
import type { Evidence } from '../verification/evidence.js';

/** A value as it is printed, with a line or two of what stands around it. */
export interface EvidenceContext {
  readonly pointer: string;
  /** True: the candidate's own value is not printed; this is what an earlier attempt read in its place. */
  readonly isEarlier: boolean;
  readonly before: string;
  readonly printed: string;
  readonly after: string;
}

const reach = 160;

/**
 * Of the first field that a rule objects to and that is printed as this attempt or an earlier one has it; else of the
 * last printed one: totals come last.
 */
export function evidenceContext(
  text: DocumentText | null,
  fields: readonly FieldReading[],
  earlier: readonly Evidence[],
): EvidenceContext | null {
  const unmet = new Set(fields.filter((field) => field.unmet.length > 0).map(({ pointer }) => pointer));
  const printed = fields.flatMap(({ evidence }) => evidence);
  const found =
    [...printed, ...earlier.toReversed()].find(({ pointer }) => unmet.has(pointer)) ?? printed.at(-1);
  const page = found === undefined ? undefined : text?.pages[found.page - 1];
  if (found === undefined || page === undefined) return null;
  const before = page.slice(Math.max(0, found.start - reach), found.start);
  const after = page.slice(found.end, found.end + reach);
  return {
    pointer: found.pointer,
    isEarlier: !printed.includes(found),
    before: before.slice(lineStart(before)),
    printed: page.slice(found.start, found.end),
    after: after.slice(0, lineEnd(after)),
  };
}

/** At most the line before and its own. */
function lineStart(text: string): number {
  const own = text.lastIndexOf('\n');
  return own < 0 ? 0 : text.lastIndexOf('\n', own - 1) + 1;
}

function lineEnd(text: string): number {
  const own = text.indexOf('\n');
  const next = own < 0 ? -1 : text.indexOf('\n', own + 1);
  return next < 0 ? text.length : next;
}
