import { withQuery } from '../query.js';
import type { OverviewShown } from './overview-shown.js';

/** The extractions that a figure of the overview counts: of the same spec, prompt and stretch of time. */
export function listOf(
  { query }: Pick<OverviewShown, 'query'>,
  more: Readonly<Record<string, string | undefined>>,
): string {
  return withQuery('/console/extractions', { ...query, ...more });
}
