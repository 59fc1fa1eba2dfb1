import { type RawBuilder, sql } from 'kysely';
import { evaluationPrefix } from '../../domain/evaluation-tenant.js';

const evaluations = sql.lit(`${evaluationPrefix}%`);

/** The condition that a row is this tenant's; of none named, anybody's but an evaluation's. */
export function ofTenant(tenant: string | undefined, column = 'tenant'): RawBuilder<boolean> {
  const name = sql.ref(column);
  return tenant === undefined ? sql`${name} not like ${evaluations}` : sql`${name} = ${tenant}`;
}

/** The condition that a row is an evaluation's. */
export function ofEvaluations(): RawBuilder<boolean> {
  return sql`tenant like ${evaluations}`;
}
