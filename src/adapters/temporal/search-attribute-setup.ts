import type { Connection } from '@temporalio/client';
import { searchAttributes } from '../../../workflows/search-attributes.js';

/** Wire numbers of temporal.api.enums.v1.IndexedValueType. */
const indexedValueType = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const;

/** gRPC status of a name that is registered already. */
const alreadyExists = 6;

/**
 * Registers Endstop's search attributes where they are missing; they must exist before the first start. Not possible
 * on Temporal Cloud, where they are made in its own console: there the call's error says so.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const listed = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes).filter(
    ({ name }) => listed.customAttributes?.[name] === undefined,
  );
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, indexedValueType[type]])),
    });
  } catch (error) {
    // Two workers starting together both add them.
    if ((error as { code?: unknown }).code !== alreadyExists) throw error;
  }
}
