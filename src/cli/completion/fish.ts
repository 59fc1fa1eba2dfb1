import { heading, steps, takers } from './shell.js';
import type { CompletionNode, CompletionOption, Values } from './tree.js';

/** A script for fish 3 and later with what each command and option says. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  return `${heading('In ~/.config/fish/config.fish: endstop completion fish | source')}
# True when the command line, up to the cursor, stands behind this command (and so many arguments, if told, or more of them).
function __endstop_at
  set -l at endstop
  set -l position 0
  set -l skips 0
  for word in (commandline -opc)[2..-1]
    if test $skips = 1
      set skips 0
      continue
    end
    switch "$at $word"
      case ${steps(nodes).map(quoteFish).join(' ')}
        set at "$at $word"
        set position 0
      case ${takers(nodes).map(quoteFish).join(' ')}
        set skips 1
      case '* -*'
      case '*'
        set position (math $position + 1)
    end
  end
  test "$at" = "$argv[1]"; and begin
    test (count $argv) = 1; or test $position = "$argv[2]"
    or begin; test "$argv[3]" = +; and test $position -gt $argv[2]; end
  end
end

complete -c endstop -f
${nodes.map(linesOf).join('')}`;
}

function linesOf({ path, commands, options, arguments: values, isVariadic }: CompletionNode): string {
  const behind = (position?: string) => {
    const condition = `__endstop_at ${quoteFish(path)}${position === undefined ? '' : ` ${position}`}`;
    return `complete -c endstop -n ${quoteFish(condition)}`;
  };
  const lines = [
    ...commands.map(({ name, says }) => `${behind('0')} -a ${quoteFish(name)} -d ${quoteFish(says)}`),
    ...options.map((option) => `${behind()} ${optionOf(option)}`),
    ...values.flatMap((value, index) => {
      const position = isVariadic && index === values.length - 1 ? `${index} +` : String(index);
      return value.kind === 'any' ? [] : [`${behind(position)} ${valuesOf(value)}`];
    }),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function optionOf({ flags, says, value }: CompletionOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [...names, `-d ${quoteFish(says)}`, ...(value === null ? [] : [takes(value), valuesOf(value)])]
    .filter((part) => part !== '')
    .join(' ');
}

/** `-x` takes a value of its own, where `-r` alone would offer files beside it. */
function takes(value: Values): string {
  return value.kind === 'files' ? '-r' : '-x';
}

function valuesOf(value: Values): string {
  switch (value.kind) {
    case 'words':
      return `${value.orFiles === true ? '-F ' : ''}-a ${quoteFish(value.words.join(' '))}`;
    case 'files':
      return '-F';
    case 'any':
      return '';
  }
}

function quoteFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
