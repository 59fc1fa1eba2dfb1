import { type Kysely, type Selectable, sql } from 'kysely';
import type { Role } from '../../domain/principal.js';
import type { ApiKey, KeyStore } from '../../ports/key-store.js';
import type { ApiKeyColumns } from './tables/access.js';
import type { Tables } from './tables.js';

const minuteMs = 60_000;

export function keyStore(db: Kysely<Tables>): KeyStore {
  return {
    async add({ keyId, name, tenant, roles, hash, at }) {
      const row = await db
        .insertInto('api_keys')
        .values({ key_id: keyId, name, tenant, roles: [...roles], hash, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toKey(row);
    },

    async find(keyId) {
      const row = await db.selectFrom('api_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst();
      return row === undefined ? null : { ...toKey(row), hash: row.hash };
    },

    async list({ tenant }) {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .$if(tenant !== undefined, (query) => query.where('tenant', '=', tenant ?? ''))
        .orderBy('created_at')
        .orderBy('key_id')
        .execute();
      return rows.map(toKey);
    },

    async revoke(idOrName, at) {
      const row = await db
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('revoked_at', 'is', null)
        .where((where) => where.or([where('key_id', '=', idOrName), where('name', '=', idOrName)]))
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toKey(row);
    },

    async touch(keyId, at) {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: at })
        .where('key_id', '=', keyId)
        .where(sql<boolean>`coalesce(last_used_at, 0) <= ${at - minuteMs}::int8`)
        .execute();
    },

    async any() {
      const row = await db
        .selectFrom('api_keys')
        .select('key_id')
        .where('revoked_at', 'is', null)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

function toKey(row: Selectable<ApiKeyColumns>): ApiKey {
  return {
    keyId: row.key_id,
    name: row.name,
    tenant: row.tenant,
    roles: row.roles as Role[],
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
