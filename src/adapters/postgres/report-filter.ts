import { type RawBuilder, sql } from 'kysely';
import type { ReportFilter } from '../../ports/report-store.js';
import { ofTenant } from './tenant-filter.js';

/** The condition that a row `e` of extractions is one that a report asks about. */
export function ofReport(filter: ReportFilter): RawBuilder<boolean> {
  const { specId, promptVersion, tenant, failureClass, since, until } = filter;
  const conditions = [
    specId === undefined ? null : sql`e.spec_id = ${specId}`,
    promptVersion === undefined ? null : sql`e.prompt_version = ${promptVersion}`,
    ofTenant(tenant, 'e.tenant'),
    since === undefined ? null : sql`e.started_at >= ${since}::int8`,
    until === undefined ? null : sql`e.started_at < ${until}::int8`,
    failureClass === undefined
      ? null
      : sql`exists (select from attempts x where x.key = e.key and x.run = e.run
          and x.report -> 'result' ->> 'failureClass' = ${failureClass})`,
  ].filter((condition) => condition !== null);
  return sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`;
}
