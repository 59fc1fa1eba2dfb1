import { Command } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { suggestion } from '../../domain/nearest-word.js';
import type { CliContext } from '../context.js';
import { pathOf } from '../examples.js';
import { glossary } from '../glossary.js';

/** `endstop help [COMMAND...]`, and `endstop help words`. */
export function helpCommand({ terminal }: CliContext, program: Command): Command {
  return new Command('help')
    .description('show what a command does, or what words mean: help words')
    .argument('[command...]', 'a command, or "words"')
    .action((names: readonly string[]) => {
      if (names.length === 1 && names[0] === 'words') terminal.out(glossary());
      else names.reduce(childOf, program).outputHelp();
    });
}

function childOf(command: Command, name: string): Command {
  const child = command.commands.find((inner) => inner.name() === name);
  if (child !== undefined) return child;
  const known = [
    ...command.commands.map((inner) => inner.name()),
    ...(command.parent === null ? ['words'] : []),
  ];
  throw new ApplicationError(
    'invalid_request',
    known.length === 0
      ? `${pathOf(command).join(' ')} has no commands of its own.`
      : `There is no command "${[...pathOf(command), name].slice(1).join(' ')}"${suggestion(name, known)}`,
  );
}
