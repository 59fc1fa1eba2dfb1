import { execFileSync, spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/run.js';
import { createContext, type ProcessContext } from '../../src/main/context.js';
import { wholeProgram } from '../../src/main/whole-program.js';
import { createTestDatabase } from '../support/postgres.js';

const plain = createContext({}, process.cwd());

/** Runs a command line of the whole program; only what opens nothing. */
const run = (...argv: readonly string[]) => runIn(plain, ...argv);

async function runIn(of: ProcessContext, ...argv: readonly string[]) {
  const printed: string[] = [];
  const out = (text: string) => void printed.push(text);
  const terminal = { ...of.terminal, out, error: out, isColoured: false };
  const context = { ...of, terminal };
  const code = await runProgram(await wholeProgram(context, '0.1.0', argv[0]), context, argv);
  return { code, out: printed.join('') };
}

/** Every command with its names from the program's on. */
function walk(command: Command, above: readonly string[] = []): { command: Command; path: string[] }[] {
  const path = [...above, command.name()];
  return [{ command, path }, ...command.commands.flatMap((inner) => walk(inner, path))];
}

const program = () => wholeProgram(plain, '0.1.0');
const all = walk(await program());
const leaves = all.filter(({ command }) => command.commands.length === 0);

/** Processes, and what prints a file of a form of its own. */
const withoutJson = ['up', 'demo', 'worker', 'api', 'standin', 'openapi', 'completion', 'help'];

describe('every command', () => {
  it.each(all.map(({ command, path }) => [path.join(' '), command] as const))(
    '%s says what it is for',
    (_, command) => {
      expect(command.description()).toMatch(/\S/);
      for (const option of command.options) expect(option.description, option.flags).toMatch(/\S/);
    },
  );

  it.each(leaves.map(({ command, path }) => [path.slice(1).join(' '), command] as const))(
    '%s prints JSON when told, unless it prints nothing for programs',
    (name, command) => {
      const has = command.options.some(({ long }) => long === '--json');
      expect(has).toBe(!withoutJson.includes(name));
    },
  );

  const needing = [
    'plan',
    'list',
    'trail',
    'doctor',
    'worker',
    'audit sample',
    'records export',
    'review next',
  ];
  const taking = all.filter(
    ({ command, path }) =>
      command.registeredArguments.length > 0 || needing.includes(path.slice(1).join(' ')),
  );
  it.each(taking.map(({ path }) => [path.slice(1).join(' '), path] as const))(
    '%s takes arguments or many options, and its help has examples that its own options allow',
    async (_, path) => {
      const { code, out } = await run(...path.slice(1), '--help');
      expect(code).toBe(0);
      const shown = out.split('\nExamples:\n')[1] ?? '';
      const lines = shown.split('\n').filter((line) => line.startsWith(`  ${path.join(' ')}`));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        const words = (line.trim().match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
        const command = await find(path);
        const { operands, unknown } = command.exitOverride().parseOptions(words.slice(path.length));
        expect(unknown, line).toEqual([]);
        const takes = command.registeredArguments;
        const most = takes.at(-1)?.variadic === true ? Number.POSITIVE_INFINITY : takes.length;
        const least = takes.filter(({ required }) => required).length;
        expect(operands.length, line).toBeLessThanOrEqual(most);
        expect(operands.length, line).toBeGreaterThanOrEqual(least);
        takes.forEach(({ argChoices }, at) => {
          if (argChoices && operands[at] !== undefined) expect(argChoices, line).toContain(operands[at]);
        });
      }
    },
  );
});

async function find(path: readonly string[]): Promise<Command> {
  const found = walk(await program()).find((one) => one.path.join(' ') === path.join(' '));
  if (found === undefined) throw new Error(`There is no command ${path.join(' ')}.`);
  return found.command;
}

/** What bash offers for a line whose last word is being typed. */
function offered(script: string, words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _endstop; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-c', `${script}\n${ask}`], { encoding: 'utf8' });
  return out.split('\n').filter((word) => word !== '');
}

const isThere = (shell: string) => spawnSync(shell, ['--version']).error === undefined;

describe('endstop completion', () => {
  it('when it is for bash, then bash takes it and it offers what can stand there', async () => {
    const { out: script } = await run('completion', 'bash');
    execFileSync('bash', ['-n', '-c', script]);
    const offer = (...words: string[]) => offered(script, ['endstop', ...words]);
    expect(offer('')).toEqual(expect.arrayContaining(['extract', 'batch', 'openapi', 'worker', 'help']));
    expect(offer('ext')).toEqual(['extract']);
    expect(offer('help', 'rev')).toEqual(['review']);
    expect(offer('review', 'de')).toEqual(['decide']);
    expect(offer('review', 'decide', '3f9a1c20', 're')).toEqual(['reject', 'redrive']);
    expect(offer('list', '--rea')).toEqual(['--reason']);
    expect(offer('list', '--reason', 'no_p')).toEqual(['no_progress']);
    expect(offer('list', '--reason', '=', 'no_p')).toEqual(['no_progress']);
    // A value that reads like a command is none.
    expect(offer('batch', '--spec', 'list', '--in')).toEqual(['--in-flight']);
    expect(offer('batch', '--spec', '=', 'list', '--in')).toEqual(['--in-flight']);
    expect(offer('extract', 'package.j')).toEqual(['package.json']);
    expect(offer('extract', 'a.pdf', 'b.pdf', 'package.j')).toEqual(['package.json']);
    expect(offer('list', '--tenant', 'package.j')).toEqual([]);
    expect(offer('show', '3f9a1c20', '')).toEqual([]);
    expect(offer('help', 'w')).toEqual(expect.arrayContaining(['words', 'worker']));
    expect(offer('simulate', 'week')).toEqual(['week-one-uncapped', 'week-one-capped']);
    expect(offer('simulate', 'package.j')).toEqual(['package.json']);
    expect(offer('audit', 'verdict', '')).toEqual([]);
    expect(offer('audit', 'verdict', '3f9a1c20', '')).toEqual(['right', 'wrong']);
    expect(offer('audit', 'verdict', '3f9a1c20', 'right', '77b0e5d2', 'w')).toEqual(['wrong']);
  });

  it.skipIf(!isThere('fish'))(
    'when fish is there, then it offers these, and no files beside words',
    async () => {
      const { out: script } = await run('completion', 'fish');
      const lines = [
        'plan --scenario ',
        'help w',
        'simulate week',
        'audit verdict 3f9a1c20 ',
        'batch --spec ',
      ];
      const asks = lines.map(
        (line) => `complete -C 'endstop ${line}' | string replace -r '\\t.*' '' | string join ' '; echo ==`,
      );
      const commands = [script, ...asks].join('\n');
      const out = execFileSync('fish', ['--no-config', '-c', commands], { encoding: 'utf8' });
      const offered = out.split('==\n').map((part) => part.trim().split(' '));
      expect(offered[0]).toEqual(['claims', 'month-end']);
      expect(offered[1]).toEqual(expect.arrayContaining(['words', 'worker']));
      expect(offered[2]).toEqual(['week-one-capped', 'week-one-uncapped']);
      expect(offered[3]).toEqual(['right', 'wrong']);
      expect(offered[4]).toEqual(['']);
    },
  );

  it.skipIf(!isThere('zsh'))('when zsh is there, then it takes the script, which offers these', async () => {
    const { out: script } = await run('completion', 'zsh');
    const offer = (...words: string[]) => {
      const line = ['endstop', ...words].map((word) => `'${word}'`).join(' ');
      // What only a completion may call is written down instead.
      const stubs =
        'compdef() :; compset() :; _files() print FILES; compadd() { shift; print -l -- $@; }; _describe() :';
      const ask = `words=(${line}); CURRENT=${words.length + 1}; _endstop`;
      const out = execFileSync('zsh', ['-f'], { encoding: 'utf8', input: [stubs, script, ask].join('\n') });
      return out.split('\n').filter((word) => word !== '');
    };
    expect(offer('plan', '--scenario', '')).toEqual(['claims', 'month-end']);
    expect(offer('help', '')).toContain('words');
    expect(offer('simulate', '')).toEqual(expect.arrayContaining(['bad-deploy', 'FILES']));
    expect(offer('audit', 'verdict', '3f9a1c20', '')).toEqual(['right', 'wrong']);
    expect(offer('extract', '')).toEqual(['FILES']);
  });

  it.each(['bash', 'zsh', 'fish'])('when it is for %s, then every command is in it', async (shell) => {
    const { code, out } = await run('completion', shell);
    expect(code).toBe(0);
    for (const { path } of all) expect(out).toContain(`${path.join(' ')}`);
  });

  it('when a shell is not known, then it says which are', async () => {
    const { code, out } = await run('completion', 'tcsh');
    expect(code).toBe(2);
    expect(out).toContain('bash, zsh, fish');
  });
});

it('a command that selects by a spec reads the settings before it asks whether there is one', async () => {
  const { code, out } = await runIn(createContext({}, '/'), 'list', '--spec', 'clam');
  expect(code).toBe(2);
  expect(out).toMatch(/^Nothing runs here: /);
});

describe('endstop db migrate', () => {
  it('says in a sentence or as JSON what was applied', async () => {
    const database = await createTestDatabase();
    const context = createContext({ DATABASE_URL: database.databaseUrl }, process.cwd());
    expect(await runIn(context, 'db', 'migrate')).toEqual({ code: 0, out: 'The database is up to date.\n' });
    const { out } = await runIn(context, 'db', 'migrate', '--json');
    expect(out).toBe('{"applied":[],"reconcilerMinutes":null,"searchAttributes":false}\n');
    await database.drop();
  });
});
