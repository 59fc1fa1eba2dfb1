import { relative } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { askedInstead } from './asked-instead.js';
import type { CliContext } from './context.js';
import { addExamples, pathOf } from './examples.js';
import { exitCodes, readCliFault } from './fault.js';
import { asCalled, paint } from './terminal.js';

/**
 * Runs a command line and answers with the exit code. Whatever goes wrong is one sentence on the error stream.
 * `argv` is what follows the program's name. Commands added by others are treated like our own.
 */
export async function runProgram(
  program: Command,
  context: CliContext,
  argv: readonly string[],
): Promise<number> {
  const { terminal } = context;
  for (const command of withSubcommands(program)) {
    addExamples(command);
    unspacedIds(command);
    const usage = asCalled(terminal, `${pathOf(command).join(' ')} ${command.usage()}`);
    command
      .exitOverride()
      .showHelpAfterError(`Usage: ${usage} (--help says more)`)
      .configureOutput({
        writeOut: (text) => terminal.out(asCalled(terminal, text)),
        writeErr: (text) => terminal.error(text),
        outputError: (text, write) => write(askedInstead(text.replace(/^error: /, ''))),
      });
  }
  // Here, so that it comes after whatever the program's maker has to do before a command.
  program.hook('preAction', async (_, action) => {
    // Loaded only where it may be needed, like commands.
    if (action.optsWithGlobals()['spec'] === undefined) return;
    const { assertSpecFilter } = await import('./known-spec.js');
    await assertSpecFilter(context, action);
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    // Commander has written its own message by then; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const { message, lines, exitCode } = readCliFault(error, () => specSource(context));
    terminal.error(`${paint(terminal, 'red', message)}\n${lines.map((line) => `  ${line}\n`).join('')}`);
    return exitCode;
  }
}

/** Pages show ids in groups of digits; copied with the gap between them, they are still ids. */
function unspacedIds(command: Command): void {
  for (const argument of command.registeredArguments) {
    if (argument.name() === 'id' && !argument.variadic)
      argument.argParser((text: string) => (/^[0-9a-f\s]+$/i.test(text) ? text.replace(/\s+/g, '') : text));
  }
}

/** Where the specs come from that this process knows. */
function specSource(context: CliContext): string {
  const { specFiles } = context.config();
  if (specFiles.length === 0) return 'the examples; ENDSTOP_SPECS is not set here';
  return `from ${specFiles.map((path) => relative(process.cwd(), path) || path).join(', ')}, by ENDSTOP_SPECS`;
}

function* withSubcommands(command: Command): Generator<Command> {
  yield command;
  for (const inner of command.commands) yield* withSubcommands(inner);
}
