import { readFileSync } from 'node:fs';
import { createProgram } from '../cli/program.js';
import { runProgram } from '../cli/run.js';
import { createContext } from './context.js';
import { doctorChecks } from './doctor-checks.js';
import { processCommands } from './process-commands.js';
import { demoCommand, upCommand } from './stack-commands.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const context = createContext(process.env, process.cwd());
const program = createProgram(context, { version, checks: doctorChecks(context) });
for (const command of [upCommand(context), demoCommand(context), ...processCommands(context, version)]) {
  program.addCommand(command);
}
process.exitCode = await runProgram(program, context, process.argv.slice(2));
await context.close();
