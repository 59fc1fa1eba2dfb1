import type { Argument, Command, Option } from 'commander';

/** What a word of the command line may be: one of these, the name of a file, or anything, for which nothing is offered. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly orFiles?: true }
  | { readonly kind: 'files' }
  | { readonly kind: 'any' };

export interface Described {
  readonly name: string;
  readonly says: string;
}

export interface CompletionOption {
  /** As they are typed: `-v`, `--version`. */
  readonly flags: readonly string[];
  readonly says: string;
  /** Null: it takes no value. */
  readonly value: Values | null;
}

/** What may be typed behind one command. */
export interface CompletionNode {
  /** Names from the program's on, with a space between: `endstop batch show`. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly options: readonly CompletionOption[];
  /** By position. */
  readonly arguments: readonly Values[];
  /** The last argument may be given again and again. */
  readonly isVariadic: boolean;
}

const offers = new WeakMap<Argument, readonly Values[]>();

/** An argument that takes other words as well as these, or different ones at each place that it stands for. */
export function offering(argument: Argument, ...places: readonly Values[]): Argument {
  offers.set(argument, places);
  return argument;
}

/** Every command below this one and itself, in the order of `--help`. */
export function readTree(command: Command, above = ''): readonly CompletionNode[] {
  const path = `${above} ${command.name()}`.trim();
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const node: CompletionNode = {
    path,
    commands: commands.map((inner) => ({ name: inner.name(), says: inner.description() })),
    options: help.visibleOptions(command).map(readOption),
    arguments: command.registeredArguments.flatMap(readArgument),
    isVariadic: command.registeredArguments.at(-1)?.variadic === true,
  };
  const names = [
    ...node.commands.map(({ name }) => name).filter((name) => name !== 'help'),
    // What the program's own help explains besides.
    ...(above === '' ? ['words'] : []),
  ];
  // The commander's own help command is no child; what stands behind it is a command's name.
  const inner = commands.flatMap((child) =>
    child.name() === 'help' ? [helpNode(path, names)] : readTree(child, path),
  );
  return [node, ...inner];
}

function helpNode(path: string, names: readonly string[]): CompletionNode {
  const words: Values = { kind: 'words', words: names };
  return { path: `${path} help`, commands: [], options: [], arguments: [words], isVariadic: false };
}

function readOption(option: Option): CompletionOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined && flag !== null);
  const takesValue = option.required || option.optional;
  return { flags, says: option.description, value: takesValue ? valuesOf(option, option.flags) : null };
}

function readArgument(argument: Argument): readonly Values[] {
  return offers.get(argument) ?? [valuesOf(argument, argument.name())];
}

/** What a value is named tells whether it is a file: `--out <file>`, `<files...>`. */
function valuesOf({ argChoices }: { readonly argChoices?: string[] | undefined }, name: string): Values {
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  return { kind: /\b(files?|folder|source|document|case|manifest)\b/.test(name) ? 'files' : 'any' };
}
