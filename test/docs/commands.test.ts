import { readdir, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { examples } from '../../src/cli/examples.js';
import { createContext } from '../../src/main/context.js';
import { wholeProgram } from '../../src/main/whole-program.js';

const context = createContext({}, process.cwd());

/** What a command line says wrong, as the program itself would refuse it; null for one that it takes. Nothing is carried out. */
async function refusal(line: string): Promise<string | null> {
  const program = await wholeProgram(context, '0');
  for (const command of family(program)) {
    command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    command.action(() => undefined);
  }
  try {
    await program.parseAsync(words(line), { from: 'user' });
    return null;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code?.startsWith('commander.help') === true ? null : message;
  }
}

function family(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(family)];
}

/** As a shell splits them: quotes hold words together, a comment or another command ends them. */
function words(line: string): string[] {
  const [command = ''] = line.split(/\s+(?:#|[|;>&])/);
  return [...command.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  );
}

async function linesOf(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8');
  const blocks = [...text.matchAll(/^```sh.*\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  const lines = blocks.flatMap((body) => body.replaceAll(/\\\n\s*/g, ' ').split('\n'));
  // As it is called here, and inside of a container.
  const called = /(?:^|\s)(?:npx endstop|docker compose exec (?:-T )?api node bin\/endstop\.mjs) (.*)$/;
  return lines.flatMap((line) => called.exec(line)?.[1] ?? []);
}

const guides = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);

describe('command lines that are shown', () => {
  it.each(['README.md', ...guides])('%s: the program takes each', async (file) => {
    for (const line of await linesOf(file)) expect([line, await refusal(line)]).toEqual([line, null]);
  });

  it('README.md and the guides have some', async () => {
    const all = await Promise.all(['README.md', ...guides].map(linesOf));
    expect(all.flat().length).toBeGreaterThan(60);
  });

  it.each(Object.keys(examples))('the examples of %s: the program takes each', async (name) => {
    for (const line of examples[name] ?? [])
      expect([line, await refusal(`${name} ${line}`)]).toEqual([line, null]);
  });

  it.each(['list --no-such-option', 'no-such-command', 'show', 'audit verdict'])(
    '"%s" would be noticed',
    async (line) => {
      expect(await refusal(line)).not.toBeNull();
    },
  );
});
