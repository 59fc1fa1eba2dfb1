import { Command } from 'commander';
import type { DoctorCheck } from './commands/doctor.js';
import type { CliContext } from './context.js';
import { helpGroupOf, inHelpOrder } from './help-groups.js';

/** Commands by their names; each is loaded when it is called. */
export type CommandTable = Readonly<Record<string, () => Promise<Command>>>;

/** What the program says about itself, and what only its caller can make: checks of the doctor, further commands. */
export interface ProgramOptions {
  readonly version: string;
  readonly checks: readonly DoctorCheck[];
  readonly more?: CommandTable;
}

/**
 * The program with every command: those over the ports, and `more` behind them. Given the first word of a command line, it
 * has the command of that name alone, so that running one does not pay for loading the others.
 */
export async function createProgram(
  context: CliContext,
  { version, checks, more = {} }: ProgramOptions,
  firstWord?: string,
): Promise<Command> {
  const program = new Command('endstop')
    .description('Durable document extraction whose repair loops always end.')
    .version(version, '-v, --version', 'print the version')
    // What stands behind a command is the command's own: reports have a --version too.
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText(
      'after',
      '\n"endstop help words" explains the words. Exit codes: 0 verified or done, 3 unverified, 2 usage, 1 fault.\n',
    );
  const table = { ...overPorts(context, checks), ...more };
  const names = chosen(table, firstWord);
  for (const name of names) {
    const command = await (table[name] as CommandTable[string])();
    program.addCommand(command.helpGroup(helpGroupOf(name)));
  }
  if (names.length > 1) {
    const { helpCommand } = await import('./commands/help.js');
    program.addCommand(helpCommand(context, program).helpGroup('Help:'));
  }
  return program;
}

/** Completion is made of all the others. */
function chosen(table: CommandTable, firstWord: string | undefined): readonly string[] {
  const isOne = firstWord !== undefined && firstWord !== 'completion' && Object.hasOwn(table, firstWord);
  return isOne ? [firstWord] : inHelpOrder(Object.keys(table));
}

function overPorts(context: CliContext, checks: readonly DoctorCheck[]): CommandTable {
  return {
    extract: async () => (await import('./commands/extract.js')).extractCommand(context),
    batch: async () => (await import('./commands/batch.js')).batchCommand(context),
    show: async () => (await import('./commands/show.js')).showCommand(context),
    attempts: async () => (await import('./commands/show.js')).attemptsCommand(context),
    list: async () => (await import('./commands/list.js')).listCommand(context),
    cancel: async () => (await import('./commands/cancel.js')).cancelCommand(context),
    records: async () => (await import('./commands/records.js')).recordsCommand(context),
    'dead-letters': async () => (await import('./commands/dead-letters.js')).deadLettersCommand(context),
    redrive: async () => (await import('./commands/redrive.js')).redriveCommand(context),
    repairs: async () => (await import('./commands/repairs.js')).repairsCommand(context),
    tenants: async () => (await import('./commands/tenants.js')).tenantsCommand(context),
    review: async () => (await import('./commands/review.js')).reviewCommand(context),
    spec: async () => (await import('./commands/spec.js')).specCommand(context),
    webhooks: async () => (await import('./commands/webhooks.js')).webhooksCommand(context),
    keys: async () => (await import('./commands/keys.js')).keysCommand(context),
    trail: async () => (await import('./commands/trail.js')).trailCommand(context),
    report: async () => (await import('./commands/report.js')).reportCommand(context),
    audit: async () => (await import('./commands/audit.js')).auditCommand(context),
    plan: async () => (await import('./commands/plan.js')).planCommand(context),
    simulate: async () => (await import('./commands/simulate.js')).simulateCommand(context),
    erase: async () => (await import('./commands/erase.js')).eraseCommand(context),
    retention: async () => (await import('./commands/retention.js')).retentionCommand(context),
    views: async () => (await import('./commands/views.js')).viewsCommand(context),
    doctor: async () => (await import('./commands/doctor.js')).doctorCommand(context, checks),
    completion: async () => (await import('./commands/completion.js')).completionCommand(context),
  };
}
