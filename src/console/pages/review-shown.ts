import { type Reason, reasonSays } from '../../domain/reason.js';
import type { Desk } from '../review-desk.js';
import { mayAs, type Visitor } from '../visitor.js';

export interface ReviewShown {
  readonly desk: Desk;
  readonly visitor: Visitor;
  readonly now: number;
  /** What was decided on the review before this one. */
  readonly done: string | undefined;
  /** They asked for it when somebody else had it, or had settled it. */
  readonly isLate: boolean;
}

/** How this visitor stands to the review. Only `mine` can be edited. */
export type Standing = 'mine' | 'free' | 'held' | 'settled' | 'onlooker';

export function standingOf({ desk, visitor }: ReviewShown): Standing {
  const { state, holder } = desk.sheet;
  if (state !== 'open') return 'settled';
  if (!mayAs(visitor, 'review')) return 'onlooker';
  if (holder === null) return 'free';
  return holder === visitor.name ? 'mine' : 'held';
}

/** A scan holds no text, so that nothing can be found in it, marked, or put in as printed. */
export function isScan({ document: { read } }: Desk): boolean {
  return read?.kind === 'readable' && read.text === null;
}

/** One sentence for the headline: why a person is asked. */
export function whyTitle({ sheet }: Desk): string {
  if (sheet.kind === 'sample') return 'A sample of what verified: is it right?';
  if (sheet.reason === 'contradiction') return 'Here because two rules cannot both hold';
  return sheet.reason === null ? 'Here to be looked at' : `Here because ${becauseOf(sheet.reason)}`;
}

function becauseOf(reason: Reason): string {
  const says = reasonSays[reason];
  return says.startsWith('only ') ? `it has ${says}` : says;
}
