import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from './findings.js';

/** Runs every program and writes docs/benchmarks.md; named ones are run again and take the place of what stood there. */
const programs: Readonly<Record<string, string>> = {
  overhead: 'What durability, verification and a store cost, beside a Temporal workflow of one activity',
  burst: 'A burst in which most documents need more than one attempt: lanes, one queue, an uncapped loop',
  alternatives: 'The same job as an Instructor-style loop and as a DBOS workflow',
  reply: 'Reading a reply, beside JSON.parse and lossless-json',
  verify: 'Verifying a record',
  simulate: 'Simulating',
  'dead-letters': 'Ten times as many dead letters',
  console: 'A hundred times as many extractions behind the console',
  memory: 'Memory of a worker for each open extraction',
  api: 'The API while the loop runs, beside a bare Hono route',
  abuse: 'An API that strangers send whatever they like: flat memory',
  cli: 'What a command costs before it does anything, beside Node doing nothing',
  soak: 'A soak in miniature: flat memory, flat time',
};
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => programs[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown[0]}"; there are ${Object.keys(programs).join(', ')}.`);
  process.exit(2);
}
const names = asked.length === 0 ? Object.keys(programs) : asked;
const report = 'docs/benchmarks.md';
const file = join(tmpdir(), `endstop-findings-${process.pid}`);

const sections = asked.length === 0 ? new Map<string, string>() : written();
let failed = 0;
for (const name of names) {
  rmSync(file, { force: true });
  console.log(`\n${name}: ${programs[name]}`);
  const load = loadavg()[0] ?? Number.NaN;
  const beganAt = performance.now();
  const run = ['--expose-gc', '--import', 'tsx', `bench/${name}.ts`];
  const { status } = spawnSync(process.execPath, run, {
    stdio: 'inherit',
    // Pages of the console are JSX, which this says how to compile.
    env: { ...process.env, BENCH_FINDINGS: file, TSX_TSCONFIG_PATH: 'tsconfig.node.json' },
  });
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(0);
  if (status !== 0) failed += 1;
  const machine = `${cpus().length} cores, Node ${process.version}`;
  const took = `${seconds} s on ${machine}; load before it ${load.toFixed(1)}`;
  sections.set(programs[name] ?? name, sectionOf(name, status, took));
}
rmSync(file, { force: true });
const parts = Object.values(programs).map((title) => sections.get(title) ?? '');
writeFileSync(report, [head(), ...parts.filter((part) => part !== '')].join('\n'));
process.exit(failed === 0 ? 0 : 1);

function head(): string {
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench`; nothing here was typed by hand. Goals are ratios or counts within one run on one machine,',
    'contenders in turns; times and sizes beside them depend on the machine. A goal that does not hold fails the run.',
    '',
    'Postgres and Temporal run on the same machine, the model is the stand-in. Where the load before a program was above',
    'the number of cores, others were using the machine. `npm run bench NAME` renews one section.',
    '',
  ].join('\n');
}

/** What the report holds so far, by title. */
function written(): Map<string, string> {
  if (!existsSync(report)) return new Map();
  const parts = readFileSync(report, 'utf8')
    .split(/^(?=## )/m)
    .slice(1);
  return new Map(parts.map((part) => [part.slice(3, part.indexOf('\n')), `${part.trimEnd()}\n`]));
}

function sectionOf(name: string, status: number | null, took: string): string {
  const rows = findings().map(({ what, measured, goal, holds }) => {
    const kept = goal === null ? '' : holds ? `${goal}: holds` : `${goal}: **does not hold**`;
    return `| ${what} | ${measured} | ${kept} |`;
  });
  const broke = rows.length === 0 ? [`It broke off with status ${status}.`] : [];
  return [
    ...[`## ${programs[name]}`, '', `\`${commandOf(name)}\` (${took})`, ''],
    ...(rows.length === 0 ? broke : ['| what | measured | goal |', '|---|---|---|', ...rows]),
    '',
  ].join('\n');
}

/** With the settings that made it another run than the usual one. */
function commandOf(name: string): string {
  const settings = Object.entries(process.env).filter(([key]) => key === `${name.toUpperCase()}_SECONDS`);
  return [...settings.map(([key, value]) => `${key}=${value}`), `npm run bench ${name}`].join(' ');
}

function findings(): readonly Finding[] {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Finding);
  } catch {
    return [];
  }
}
