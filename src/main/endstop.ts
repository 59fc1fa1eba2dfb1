import { readFileSync } from 'node:fs';
import { runProgram } from '../cli/run.js';
import { createContext } from './context.js';
import { wholeProgram } from './whole-program.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const context = createContext(process.env, process.cwd());
const argv = process.argv.slice(2);
const program = await wholeProgram(context, version, argv[0]);
process.exitCode = await runProgram(program, context, argv);
await context.close();
