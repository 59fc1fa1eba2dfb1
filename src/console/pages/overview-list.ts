import { withQuery } from '../query.js';
import type { OverviewShown } from './overview-shown.js';

/** The extractions that a figure of the overview counts: of the same spec, prompt and stretch of time. */
export function listOf(
  { query }: Pick<OverviewShown, 'query'>,
  more: Readonly<Record<string, string | undefined>>,
): string {
  return withQuery('/console/extractions', { ...query, ...more });
}

/** What is counted in no list, by the name of its words at the foot of the page. */
export const inNoList = [
  'calls',
  'attempts',
  'failed',
  'yield',
  'tail',
  'quantiles',
  'repairs',
  'window',
  'lanes',
  'intervals',
] as const;

/** Where the overview says what a figure counts that no list can show. */
export function explained(what: (typeof inNoList)[number]): string {
  return `#counts-${what}`;
}
