import type { Command } from 'commander';
import { createProgram } from '../cli/program.js';
import type { ProcessContext } from './context.js';
import { doctorChecks } from './doctor-checks.js';

/**
 * Every command there is: those over the ports, and those that start processes or need the API. With the first word of a
 * command line, the command of that name alone.
 */
export async function wholeProgram(
  context: ProcessContext,
  version: string,
  firstWord?: string,
): Promise<Command> {
  const more = {
    up: async () => (await import('./stack-commands.js')).upCommand(context),
    demo: async () => (await import('./stack-commands.js')).demoCommand(context),
    worker: async () => (await import('./process-commands.js')).workerCommand(context),
    deployment: async () => (await import('./deployment-command.js')).deploymentCommand(context),
    api: async () => (await import('./process-commands.js')).apiCommand(context, version),
    standin: async () => (await import('./process-commands.js')).standinCommand(),
    db: async () => (await import('./process-commands.js')).databaseCommand(context),
    openapi: async () => (await import('./openapi-command.js')).openapiCommand(context, version),
  };
  const options = { version, checks: doctorChecks(context), more };
  const program = await createProgram(context, options, firstWord);
  // Help needs no settings.
  return program.hook('preAction', async (_, action) => {
    if (action.name() !== 'help' || action.parent !== program) await context.prepare();
  });
}
