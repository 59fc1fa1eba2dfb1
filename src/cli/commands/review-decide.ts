import { Argument, Command, Option } from 'commander';
import { checkReview } from '../../application/check-review.js';
import { decideReview } from '../../application/decide-review.js';
import { readDraft, saveDraft } from '../../application/review-draft.js';
import { summariseReview, viewDraft } from '../../application/views/review-view.js';
import { type ReviewVerb, reviewVerbs } from '../../ports/review-store.js';
import { checkSheet } from '../check-sheet.js';
import type { CliContext } from '../context.js';
import { pretty } from '../extraction-table.js';
import { exitCodes } from '../fault.js';
import { shortId } from '../format.js';
import { collect, json, positive } from '../options.js';
import { type ActorOption, actor, nameOf, readValues, review, values } from '../review-options.js';
import { withApplication, withStore } from '../session.js';
import { type SetOptions, setting, valuesWith } from '../set-values.js';
import { changing } from '../trail.js';

interface ValueOptions extends ActorOption, SetOptions {
  readonly values?: string;
  readonly note?: string;
  readonly json?: true;
}

interface DecideOptions extends ValueOptions {
  readonly override?: readonly string[];
  readonly ifVersion?: number;
}

/** `endstop review check`, `draft` and `decide`. */
export function reviewDecisionCommands(context: CliContext): readonly Command[] {
  return [checkCommand(context), draftCommand(context), decideCommand(context)];
}

function checkCommand(context: CliContext): Command {
  return new Command('check')
    .description('run the rules over values, or over the candidate as it is; nothing is stored')
    .addArgument(review())
    .addOption(values())
    .addOption(setting())
    .addOption(json())
    .action(async (id: string, options: ValueOptions) => {
      const given = await readValues(options.values);
      const catalogue = await context.catalogue([]);
      await withStore(context, async (store) => {
        const offered = await valuesWith(store, id, given, options);
        const check = await checkReview({ store, catalogue, reader: context.reader() }, id, offered);
        context.terminal.out(options.json ? `${JSON.stringify(check)}\n` : checkSheet(check));
        if (check.kind !== 'holds') context.exitCode = exitCodes.unverified;
      });
    });
}

function draftCommand(context: CliContext): Command {
  return new Command('draft')
    .description('keep your unfinished work on a review, or print what you kept')
    .addArgument(review())
    .addOption(values())
    .option('--note <text>', 'why, so far')
    .addOption(actor())
    .addOption(json())
    .action(async (id: string, options: ValueOptions) => {
      const given = await readValues(options.values);
      await withStore(context, async (store) => {
        const desk = { store, now: () => context.now() };
        const who = { review: id, actor: nameOf(options) };
        const isNew = options.values !== undefined || options.note !== undefined;
        const draft = isNew
          ? await saveDraft(desk, { ...who, values: given, note: options.note ?? null })
          : await readDraft(desk, who);
        if (draft === null) context.terminal.error('You have no draft here.\n');
        else if (options.json) context.terminal.out(`${JSON.stringify(viewDraft(draft))}\n`);
        else if (isNew) context.terminal.out(`Kept for ${draft.holder} until they decide.\n`);
        else context.terminal.out(`${pretty(draft.values)}\n`);
        if (draft === null) context.exitCode = exitCodes.fault;
      });
    });
}

function decideCommand(context: CliContext): Command {
  return new Command('decide')
    .description('decide a review; the rules run again over the values you stand for')
    .addArgument(review())
    .addArgument(new Argument('<verb>', 'what you decide').choices(reviewVerbs))
    .addOption(actor())
    .addOption(values())
    .addOption(setting())
    .option('--note <text>', 'why; needed to reject and to override')
    .addOption(
      new Option('--override <rule>', 'a rule that may stay unmet; can be given several times').argParser(
        collect,
      ),
    )
    .addOption(
      new Option(
        '--if-version <n>',
        'refuse when the review is no longer at this version, and say what changed',
      ).argParser(positive),
    )
    .addOption(json())
    .action(async (id: string, verb: ReviewVerb, options: DecideOptions) => {
      const given = await readValues(options.values);
      await withApplication(context, [], async (app) => {
        const decision = {
          review: id,
          actor: nameOf(options),
          verb,
          values: await valuesWith(app.store, id, given, options),
          note: options.note ?? null,
          overrides: options.override ?? [],
          ifVersion: options.ifVersion === undefined ? null : [options.ifVersion],
        };
        const decided = await changing(
          context,
          app.store,
          { action: 'decideReview', subject: id, actor: decision.actor },
          () => decideReview(app, decision),
          ({ task: { id, tenant } }) => ({ subject: id, tenant }),
        );
        const view = summariseReview(decided.task, context.now());
        const rerun = decided.redriven === null ? '' : ` Run ${decided.redriven.run} is under way.`;
        context.terminal.out(
          options.json ? `${JSON.stringify(view)}\n` : `${shortId(view.id)} is decided: ${verb}.${rerun}\n`,
        );
      });
    });
}
