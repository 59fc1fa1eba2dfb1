import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type EvaluationFilter,
  type EvaluationStore,
  evaluationsKept,
  type KeptEvaluation,
} from '../../ports/evaluation-store.js';
import { decodeCursor, pageRows, toPage } from './cursor.js';
import { json } from './json.js';
import { beginningWith, theOne } from './prefix.js';
import type { Tables } from './tables.js';

interface EvaluationRow {
  readonly evaluation: KeptEvaluation;
}

export function evaluationStore(db: Kysely<Tables>): EvaluationStore {
  return {
    async add(evaluation) {
      const { id, specId, schemaVersion, promptVersion, tenant, truthSet, endedAt } = evaluation;
      await db
        .insertInto('evaluations')
        .values({
          ...{ id, spec_id: specId, schema_version: schemaVersion, prompt_version: promptVersion, tenant },
          ...{ truth_set: truthSet, ended_at: endedAt, evaluation: json(evaluation) },
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      await sql`
        delete from evaluations where id in (
          select id from evaluations where ${matching({ specId, schemaVersion, promptVersion })}
          order by ended_at desc, id desc offset ${evaluationsKept}
        )`.execute(db);
    },

    async find(id) {
      const { rows } = await sql<EvaluationRow>`
        select evaluation from evaluations where ${beginningWith('id', id)}`.execute(db);
      return theOne(rows, id, ({ evaluation }) => evaluation.id)?.evaluation ?? null;
    },

    async latest(filter) {
      const { rows } = await sql<EvaluationRow>`
        select distinct on (spec_id, schema_version, prompt_version) evaluation
        from evaluations where ${matching(filter)}
        order by spec_id desc, schema_version desc, prompt_version desc, ended_at desc, id desc`.execute(db);
      return rows.map(({ evaluation }) => evaluation);
    },

    async list(filter, page) {
      const [at, id] =
        page.cursor === undefined ? [null, ''] : decodeCursor(page.cursor, ['integer', 'text']);
      const before = at === null ? sql`true` : sql`(ended_at, id) < (${at}::int8, ${id})`;
      const { rows } = await sql<EvaluationRow>`
        select evaluation from evaluations where ${matching(filter)} and ${before}
        order by ended_at desc, id desc limit ${pageRows(page.limit)}`.execute(db);
      return toPage(
        rows,
        page.limit,
        ({ evaluation }) => [evaluation.endedAt, evaluation.id],
        ({ evaluation }) => evaluation,
      );
    },
  };
}

function matching(filter: EvaluationFilter): RawBuilder<unknown> {
  const { specId, schemaVersion, promptVersion, truthSet, tenant } = filter;
  const conditions = [
    ['spec_id', specId],
    ['schema_version', schemaVersion],
    ['prompt_version', promptVersion],
    ['truth_set', truthSet],
    ['tenant', tenant],
  ] as const;
  const named = conditions.filter(([, value]) => value !== undefined);
  if (named.length === 0) return sql`true`;
  return sql.join(
    named.map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  );
}
