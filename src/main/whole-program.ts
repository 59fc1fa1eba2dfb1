import type { Command } from 'commander';
import { createProgram } from '../cli/program.js';
import type { ProcessContext } from './context.js';
import { doctorChecks } from './doctor-checks.js';
import { openapiCommand } from './openapi-command.js';
import { processCommands } from './process-commands.js';
import { demoCommand, upCommand } from './stack-commands.js';

/** Every command there is: those over the ports, and those that start processes or need the API. */
export function wholeProgram(context: ProcessContext, version: string): Command {
  const program = createProgram(context, { version, checks: doctorChecks(context) });
  const more = [
    upCommand(context),
    demoCommand(context),
    ...processCommands(context, version),
    openapiCommand(context, version),
  ];
  for (const command of more) program.addCommand(command);
  return program;
}
