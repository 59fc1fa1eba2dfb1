import type { Kysely } from 'kysely';
import type { LabelCheck, SpecLabels, SpecVersionStore } from '../../ports/store.js';
import type { Tables } from './tables.js';

/** Undoes the registration when one of its labels turns out to be taken by other content. */
class LabelTaken extends Error {
  readonly check: LabelCheck;
  constructor(check: LabelCheck) {
    super('label taken');
    this.check = check;
  }
}

export function specVersionStore(db: Kysely<Tables>): SpecVersionStore {
  return {
    async register(labels, at) {
      const wanted = rowsOf(labels).map((row) => ({ ...row, first_seen_at: at }));
      try {
        await db.transaction().execute(async (transaction) => {
          const stored = await transaction
            .insertInto('spec_versions')
            .values(wanted)
            // Changes nothing, but returns the row that is there, also one written a moment ago by another worker.
            .onConflict((conflict) =>
              conflict
                .columns(['spec_id', 'label', 'version'])
                .doUpdateSet((row) => ({ hash: row.ref('spec_versions.hash') })),
            )
            .returning(['label', 'version', 'hash'])
            .execute();
          const check = compare(wanted, stored);
          if (check.kind === 'changed') throw new LabelTaken(check);
        });
        return { kind: 'honest' };
      } catch (error) {
        if (error instanceof LabelTaken) return error.check;
        throw error;
      }
    },

    async check(labels) {
      const { specId, schemaVersion, promptVersion } = labels;
      const stored = await db
        .selectFrom('spec_versions')
        .select(['label', 'version', 'hash'])
        .where('spec_id', '=', specId)
        .where((where) =>
          where.or([
            where.and({ label: 'schema', version: schemaVersion }),
            where.and({ label: 'schema', version: rulesOf(schemaVersion) }),
            where.and({ label: 'prompt', version: promptVersion }),
          ]),
        )
        .execute();
      return compare(rowsOf(labels), stored);
    },

    async used(specId) {
      return await db
        .selectFrom('spec_versions')
        .select(['label', 'version', 'hash', 'first_seen_at as firstUsedAt'])
        .where('spec_id', '=', specId)
        .where('version', 'not like', rulesOf('%'))
        .orderBy('first_seen_at', 'desc')
        .orderBy('label')
        .execute();
    },
  };
}

/**
 * The row that holds how the rules of a schema version were made. Releases before knew only its other row, and go on doing
 * so: a label that they stored has none until it is used again. No label can hold a "#".
 */
function rulesOf(schemaVersion: string): string {
  return `${schemaVersion}#rules`;
}

function rowsOf(labels: SpecLabels) {
  const { specId: spec_id, schemaVersion, schemaHash, rulesHash, promptVersion, promptHash } = labels;
  const rules =
    rulesHash === null
      ? []
      : [{ spec_id, label: 'schema' as const, version: rulesOf(schemaVersion), hash: rulesHash }];
  return [
    { spec_id, label: 'schema' as const, version: schemaVersion, hash: schemaHash },
    ...rules,
    { spec_id, label: 'prompt' as const, version: promptVersion, hash: promptHash },
  ];
}

/** A label that is not stored stands for nothing else. */
function compare(
  wanted: ReturnType<typeof rowsOf>,
  stored: readonly { readonly label: string; readonly version: string; readonly hash: string }[],
): LabelCheck {
  const changed = wanted.find(({ label, version, hash }) =>
    stored.some((row) => row.label === label && row.version === version && row.hash !== hash),
  );
  if (changed === undefined) return { kind: 'honest' };
  return { kind: 'changed', label: changed.label, version: changed.version.replace(/#rules$/, '') };
}
