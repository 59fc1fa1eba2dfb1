import type { Connection } from '@temporalio/client';
import { searchAttributes } from '../../../workflows/search-attributes.js';
import { EngineUnavailable } from '../../ports/engine.js';

/** Wire numbers of temporal.api.enums.v1.IndexedValueType. */
const indexedValueType = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const;

/** gRPC status of a name that is registered already. */
const alreadyExists = 6;

/**
 * Registers Endstop's search attributes where they are missing; they must exist before the first start.
 * @throws EngineUnavailable that lists them where clients may not do that, as on Temporal Cloud.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const listed = await connection.operatorService.listSearchAttributes({ namespace }).catch(refused);
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
    if ((error as { code?: unknown }).code !== alreadyExists) refused(error);
  }
}

/** PERMISSION_DENIED and UNIMPLEMENTED. */
const notHere = [7, 12];

function refused(error: unknown): never {
  if (!notHere.includes(Number((error as { code?: unknown }).code))) throw error;
  const wanted = Object.values(searchAttributes).map(({ name, type }) => `${name} (${type})`);
  throw new EngineUnavailable(
    `This Temporal server lets no client register search attributes, so make them in its console: ${wanted.join(', ')}.`,
  );
}
