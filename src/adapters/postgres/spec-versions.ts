import type { Kysely } from 'kysely';
import type { LabelCheck, SpecVersionStore } from '../../ports/store.js';
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
      const common = { spec_id: labels.specId, first_seen_at: at };
      const wanted = [
        { ...common, label: 'schema' as const, version: labels.schemaVersion, hash: labels.schemaHash },
        { ...common, label: 'prompt' as const, version: labels.promptVersion, hash: labels.promptHash },
      ];
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
          for (const { label, version, hash } of wanted) {
            if (stored.find((row) => row.label === label)?.hash !== hash)
              throw new LabelTaken({ kind: 'changed', label, version });
          }
        });
        return { kind: 'honest' };
      } catch (error) {
        if (error instanceof LabelTaken) return error.check;
        throw error;
      }
    },
  };
}
