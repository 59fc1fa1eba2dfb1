import { type Kysely, type Selectable, sql } from 'kysely';
import type { TrailEntry, TrailStore } from '../../ports/trail-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import type { TrailColumns } from './tables/access.js';
import type { Tables } from './tables.js';

type TrailRow = Selectable<TrailColumns>;

export function trailStore(db: Kysely<Tables>): TrailStore {
  return {
    async add({ keyId, actor, action, subject, tenant, requestId, at }) {
      const { entry_id: id } = await db
        .insertInto('trail')
        .values({ key_id: keyId, actor, action, subject, tenant, request_id: requestId, at })
        .returning('entry_id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async settle(id, { subject, tenant }) {
      await db.updateTable('trail').set({ subject, tenant }).where('entry_id', '=', id).execute();
    },

    async drop(id) {
      await db.deleteFrom('trail').where('entry_id', '=', id).execute();
    },

    async list({ tenant, actor, action, subject, since, until }, page) {
      let entries = db.selectFrom('trail').selectAll();
      if (tenant !== undefined) entries = entries.where('tenant', '=', tenant);
      if (actor !== undefined) entries = entries.where('actor', '=', actor);
      if (action !== undefined) entries = entries.where('action', '=', action);
      if (subject !== undefined) entries = entries.where('subject', '=', subject);
      if (since !== undefined) entries = entries.where('at', '>=', since);
      if (until !== undefined) entries = entries.where('at', '<', until);
      if (page.cursor !== undefined) {
        const [at, id] = decodeCursor(page.cursor, ['integer', 'integer']);
        entries = entries.where(sql<boolean>`(at, entry_id) < (${at}::int8, ${id}::int8)`);
      }
      const rows = await entries
        .orderBy('at', 'desc')
        .orderBy('entry_id', 'desc')
        .limit(pageRows(page.limit))
        .execute();
      return toPage(rows, page.limit, (row) => [row.at, row.entry_id], toEntry);
    },
  };
}

function toEntry(row: TrailRow): TrailEntry {
  return {
    id: row.entry_id,
    keyId: row.key_id,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    tenant: row.tenant,
    requestId: row.request_id,
    at: row.at,
  };
}
