import type { ColumnType } from 'kysely';

/** A jsonb column: parsed on the way out, text made by `json()` on the way in. */
export type Json = ColumnType<unknown, string, string>;
export type NullableJson = ColumnType<unknown, string | null, string | null>;
/** A numeric column: exact text both ways. */
export type Numeric = string;

export interface RunColumns {
  key: string;
  run: number;
  tenant: string;
  subject: string;
  document_hash: string;
  spec_id: string;
  schema_version: string;
  prompt_version: string;
}
