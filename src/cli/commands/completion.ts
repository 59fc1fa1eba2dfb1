import { Argument, Command } from 'commander';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { readTree } from '../completion/tree.js';
import { zshScript } from '../completion/zsh.js';
import type { CliContext } from '../context.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const shells = ['bash', 'zsh', 'fish'] as const;

/** `endstop completion SHELL`: a script made of all commands of the program that this one is part of. */
export function completionCommand({ terminal }: CliContext): Command {
  return new Command('completion')
    .description('print a script that completes commands, options and their values in a shell')
    .addArgument(new Argument('<shell>', 'for which shell').choices(shells))
    .action((shell: (typeof shells)[number], _: unknown, command: Command) => {
      terminal.out(scripts[shell](readTree(command.parent ?? command)));
    });
}
