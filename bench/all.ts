import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from './findings.js';

/** Runs every program and writes docs/benchmarks.md; named ones are run and shown only. */
const programs: Readonly<Record<string, string>> = {
  overhead: 'What durability, verification and a store cost, beside a Temporal workflow of one activity',
  burst: 'A burst in which most documents need more than one attempt: lanes, one queue, an uncapped loop',
  alternatives: 'The same job as an Instructor-style loop and as a DBOS workflow',
  reply: 'Reading a reply, beside JSON.parse and lossless-json',
  verify: 'Verifying a record',
  simulate: 'Simulating',
  'dead-letters': 'Ten times as many dead letters',
  memory: 'Memory of a worker for each open extraction',
  api: 'The API while the loop runs, beside a bare Hono route',
  soak: 'A soak in miniature: flat memory, flat time',
};
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => programs[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown[0]}"; there are ${Object.keys(programs).join(', ')}.`);
  process.exit(2);
}
const names = asked.length === 0 ? Object.keys(programs) : asked;
const file = join(tmpdir(), `endstop-findings-${process.pid}`);

const parts: string[] = [];
let failed = 0;
for (const name of names) {
  rmSync(file, { force: true });
  console.log(`\n${name}: ${programs[name]}`);
  const load = loadavg()[0] ?? Number.NaN;
  const beganAt = performance.now();
  const run = ['--expose-gc', '--import', 'tsx', `bench/${name}.ts`];
  const { status } = spawnSync(process.execPath, run, {
    stdio: 'inherit',
    env: { ...process.env, BENCH_FINDINGS: file },
  });
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(0);
  if (status !== 0) failed += 1;
  parts.push(sectionOf(name, status, `${seconds} s; load before it ${load.toFixed(1)}`));
}
rmSync(file, { force: true });
if (asked.length === 0) writeFileSync('docs/benchmarks.md', [head(), ...parts].join('\n'));
else console.log(`\n${parts.join('\n')}`);
process.exit(failed === 0 ? 0 : 1);

function head(): string {
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench`; nothing here was typed by hand. Every figure is a ratio or a count of one run on one',
    'machine, contenders in turns: times of their own depend on the machine. A goal that does not hold fails the run.',
    '',
    `${cpus().length} cores, Node ${process.version}, Postgres and Temporal on the same machine, the stand-in as the model.`,
    'Where the load before a program was above the number of cores, others were using the machine.',
    '',
  ].join('\n');
}

function sectionOf(name: string, status: number | null, took: string): string {
  const rows = findings().map(({ what, measured, goal, holds }) => {
    const kept = goal === null ? '' : holds ? `${goal}: holds` : `${goal}: **does not hold**`;
    return `| ${what} | ${measured} | ${kept} |`;
  });
  const broke = rows.length === 0 ? [`It broke off with status ${status}.`] : [];
  return [
    ...[`## ${programs[name]}`, '', `\`npm run bench ${name}\` (${took})`, ''],
    ...(rows.length === 0 ? broke : ['| what | measured | goal |', '|---|---|---|', ...rows]),
    '',
  ].join('\n');
}

function findings(): readonly Finding[] {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Finding);
  } catch {
    return [];
  }
}
