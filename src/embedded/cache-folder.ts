import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolders } from './make-folders.js';

/**
 * Where downloads are kept for all projects of this user: `$XDG_CACHE_HOME/endstop`, else `~/.cache/endstop`; in the
 * project's own state folder when neither can be written (an account without a home).
 */
export function cacheFolder(env: NodeJS.ProcessEnv, home: string): string {
  const base = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache');
  const shared = join(base, 'endstop');
  try {
    makeFolders(shared, 0o700);
    accessSync(shared, constants.W_OK | constants.X_OK);
    return shared;
  } catch {
    const own = join(home, 'cache');
    makeFolders(own, 0o700);
    return own;
  }
}
