import { Command } from 'commander';
import type { CliContext } from '../context.js';
import { reviewDecisionCommands } from './review-decide.js';
import { reviewDeskCommands } from './review-desk.js';
import { reviewLeaseCommands } from './review-lease.js';

/** `endstop review ...`: see, take, check and decide what waits for a person. */
export function reviewCommand(context: CliContext): Command {
  const command = new Command('review').description('documents that wait for a person');
  const commands = [
    ...reviewDeskCommands(context),
    ...reviewLeaseCommands(context),
    ...reviewDecisionCommands(context),
  ];
  for (const one of commands) command.addCommand(one);
  return command;
}
