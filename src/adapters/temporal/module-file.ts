import { fileURLToPath } from 'node:url';

/** Path of a module beside this one, named without ending: TypeScript when run from source, JavaScript when built. */
export function moduleFile(relative: string): string {
  const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  return fileURLToPath(new URL(`${relative}${ending}`, import.meta.url));
}
