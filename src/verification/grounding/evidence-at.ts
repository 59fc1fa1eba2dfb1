import type { Evidence } from '../evidence.js';
import type { Found } from './locate.js';
import { printedAt } from './places.js';
import type { TextIndex } from './text-index.js';

/** Evidence of a value that stands at a place. */
export function evidenceAt(
  index: TextIndex,
  pointer: string,
  { page, start, end, otherReadings }: Found,
): Evidence {
  const printed = printedAt(index, { page, start, end });
  const evidence = { pointer, page, start, end, printed };
  return otherReadings.length === 0 ? evidence : { ...evidence, otherReadings };
}
