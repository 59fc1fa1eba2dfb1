import { type Kysely, type Migration, sql } from 'kysely';

/** A key that reads metrics and nothing else. Older processes know no such role, and open nothing to it. */
export const metricsRole: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'alter table api_keys drop constraint api_keys_roles_check',
  'alter table api_keys drop constraint api_keys_check',
  `alter table api_keys add constraint api_keys_roles_check
    check (cardinality(roles) > 0 and roles <@ array['submit', 'read', 'review', 'operate', 'metrics'])`,
  // Metrics count all tenants, so a key for them is of none.
  `alter table api_keys add constraint api_keys_check
    check (case when tenant is null then 'operate' = any (roles) or roles = array['metrics']
      else not 'metrics' = any (roles) end)`,
];
