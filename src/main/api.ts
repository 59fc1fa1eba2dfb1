import type { CliContext } from '../cli/context.js';

/** Serves the API until SIGINT or SIGTERM. */
export async function runApi(_context: CliContext): Promise<void> {
  throw new Error('not wired yet');
}
