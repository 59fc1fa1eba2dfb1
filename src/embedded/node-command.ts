import { fileURLToPath } from 'node:url';

/**
 * The command that runs a TypeScript entry of this repository with this Node, from whatever folder.
 *
 * @param entry address of the file, best written as `new URL('./x.ts', import.meta.url)`.
 */
export function nodeCommand(entry: URL, ...args: readonly string[]): string[] {
  return [process.execPath, '--import', import.meta.resolve('tsx'), fileURLToPath(entry), ...args];
}

/** What tsx needs to know to compile our pages the same from every working folder. */
export const nodeEnvironment = {
  TSX_TSCONFIG_PATH: fileURLToPath(new URL('../../tsconfig.node.json', import.meta.url)),
};
