import { readFileSync } from 'node:fs';
import { runProgram } from '../cli/run.js';
import { createContext } from './context.js';
import { wholeProgram } from './whole-program.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const context = createContext(process.env, process.cwd());
process.exitCode = await runProgram(wholeProgram(context, version), context, process.argv.slice(2));
await context.close();
