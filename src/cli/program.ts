import { Command } from 'commander';
import { auditCommand } from './commands/audit.js';
import { batchCommand } from './commands/batch.js';
import { cancelCommand } from './commands/cancel.js';
import { completionCommand } from './commands/completion.js';
import { deadLettersCommand } from './commands/dead-letters.js';
import { type DoctorCheck, doctorCommand } from './commands/doctor.js';
import { eraseCommand } from './commands/erase.js';
import { extractCommand } from './commands/extract.js';
import { keysCommand } from './commands/keys.js';
import { listCommand } from './commands/list.js';
import { planCommand } from './commands/plan.js';
import { recordsCommand } from './commands/records.js';
import { redriveCommand } from './commands/redrive.js';
import { repairsCommand } from './commands/repairs.js';
import { reportCommand } from './commands/report.js';
import { retentionCommand } from './commands/retention.js';
import { reviewCommand } from './commands/review.js';
import { attemptsCommand, showCommand } from './commands/show.js';
import { simulateCommand } from './commands/simulate.js';
import { specCommand } from './commands/spec.js';
import { tenantsCommand } from './commands/tenants.js';
import { trailCommand } from './commands/trail.js';
import { viewsCommand } from './commands/views.js';
import { webhooksCommand } from './commands/webhooks.js';
import type { CliContext } from './context.js';

/** What the program says about itself, and checks that only its caller can make. */
export interface ProgramOptions {
  readonly version: string;
  readonly checks: readonly DoctorCheck[];
}

/**
 * The commands that work over the ports. Commands that start processes are added by the caller with `addCommand`;
 * `runProgram` then runs all of them alike.
 */
export function createProgram(context: CliContext, options: ProgramOptions): Command {
  const program = new Command('endstop')
    .description('Durable document extraction whose repair loops always end.')
    .version(options.version, '-v, --version', 'print the version')
    // What stands behind a command is the command's own: reports have a --version too.
    .enablePositionalOptions()
    .helpCommand(true)
    .showHelpAfterError('(--help says more)')
    .addHelpText('after', '\nExit codes: 0 verified or done, 3 unverified, 2 usage, 1 fault.\n');
  const commands = [
    extractCommand(context),
    batchCommand(context),
    showCommand(context),
    attemptsCommand(context),
    listCommand(context),
    cancelCommand(context),
    recordsCommand(context),
    deadLettersCommand(context),
    redriveCommand(context),
    repairsCommand(context),
    tenantsCommand(context),
    reviewCommand(context),
    specCommand(context),
    webhooksCommand(context),
    keysCommand(context),
    trailCommand(context),
    reportCommand(context),
    auditCommand(context),
    planCommand(context),
    simulateCommand(context),
    eraseCommand(context),
    retentionCommand(context),
    viewsCommand(context),
    doctorCommand(context, options.checks),
    completionCommand(context),
  ];
  for (const command of commands) program.addCommand(command);
  return program;
}
