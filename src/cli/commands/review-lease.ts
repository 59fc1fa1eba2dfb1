import { Command } from 'commander';
import {
  claimNextReview,
  claimReview,
  type Desk,
  extendReview,
  releaseReview,
} from '../../application/claim-review.js';
import { instant } from '../../application/views/instant.js';
import { summariseReview } from '../../application/views/review-view.js';
import type { ReviewFilter, ReviewKind, ReviewTask } from '../../ports/review-store.js';
import type { CliContext } from '../context.js';
import { minute, shortId, why } from '../format.js';
import { json, spec, tenant } from '../options.js';
import { type ActorOption, actor, kind, nameOf, review } from '../review-options.js';
import { withStore } from '../session.js';
import { facts, oneLine } from '../table.js';
import { asCalled } from '../terminal.js';
import { changing } from '../trail.js';

interface LeaseOptions extends ActorOption {
  readonly json?: true;
}

interface NextOptions extends LeaseOptions {
  readonly tenant?: string;
  readonly spec?: string;
  readonly kind?: ReviewKind;
}

/** `endstop review next`, `claim`, `extend` and `release`. */
export function reviewLeaseCommands(context: CliContext): readonly Command[] {
  return [nextCommand(context), claimCommand(context), extendCommand(context), releaseCommand(context)];
}

function nextCommand(context: CliContext): Command {
  return new Command('next')
    .description('take the first free review of the queue')
    .addOption(tenant())
    .addOption(spec())
    .addOption(kind())
    .addOption(actor())
    .addOption(json())
    .action(async (options: NextOptions) => {
      const known = [...new Set((await context.catalogue([])).list().map(({ id }) => id))];
      await onDesk(context, async (desk) => {
        const filter = {
          ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
          ...(options.spec === undefined ? {} : { specId: options.spec }),
          // Rules that are not known here cannot be run: such a review could not be decided.
          specIds: known,
          ...(options.kind === undefined ? {} : { kind: options.kind }),
        };
        const name = nameOf(options);
        const claimed = await changing(
          context,
          desk.store,
          { action: 'claimNextReview', actor: name },
          () => claimNextReview(desk, filter, name),
          (next) => (next.kind === 'claimed' ? named(next.task) : 'refused'),
        );
        switch (claimed.kind) {
          case 'claimed':
            if (options.json)
              return line({ kind: 'claimed', review: summariseReview(claimed.task, desk.now()) });
            return `${heldLine(claimed.task)}${await taken(context, desk, claimed.task, options)}`;
          case 'all_held': {
            const nextFreeAt = instant(claimed.nextFreeAt);
            if (options.json) return line({ ...claimed, nextFreeAt });
            return `All ${claimed.held} open reviews are held; the first is free at ${minute(nextFreeAt)}.\n`;
          }
          case 'none':
            return options.json ? line(claimed) : await noneText(desk, filter);
        }
      });
    });
}

/** What it is about, and what can be done with it. */
async function taken(
  { terminal }: CliContext,
  { store }: Desk,
  task: ReviewTask,
  { as }: ActorOption,
): Promise<string> {
  const run = await store.extractions.find(task.key, task.run);
  const id = shortId(task.id);
  const who = as === undefined ? '' : ` --as ${/^[\w.@-]+$/.test(as) ? as : `'${as}'`}`;
  return facts([
    ['document', oneLine(run?.fileName ?? task.documentHash.slice(0, 12))],
    ['spec', task.specId],
    ['why', task.kind === 'sample' ? 'sample: it verified, and a person looks at it too' : why(task)],
    [
      'next',
      asCalled(
        terminal,
        [
          `endstop review show ${id}${who}`,
          `endstop review check ${id} --set /field=value`,
          `endstop review decide ${id} approve|correct|reject${who}`,
        ].join('\n'),
      ),
    ],
  ]);
}

async function noneText({ store }: Desk, filter: ReviewFilter): Promise<string> {
  const { specIds = [], ...any } = filter;
  const { items } = await store.reviews.list({ ...any, state: 'open' }, { limit: 50 });
  const strange = [...new Set(items.map(({ specId }) => specId))].filter((id) => !specIds.includes(id));
  if (strange.length === 0) return 'No review is open.\n';
  return `No review is open of a spec that is known here; there are some of ${strange.join(', ')} (ENDSTOP_SPECS).\n`;
}

function claimCommand(context: CliContext): Command {
  return new Command('claim')
    .description('take a review for a quarter of an hour, so that nobody else works on it')
    .addArgument(review())
    .addOption(actor())
    .option('--steal <reason>', 'take it from whoever holds it; the reason is kept')
    .addOption(json())
    .action((id: string, options: LeaseOptions & { readonly steal?: string }) =>
      onDesk(context, async (desk) => {
        const claim = { review: id, actor: nameOf(options), steal: options.steal ?? null };
        const change = { action: 'claimReview', subject: id, actor: claim.actor };
        const task = await changing(context, desk.store, change, () => claimReview(desk, claim), named);
        return options.json ? line(summariseReview(task, desk.now())) : heldLine(task);
      }),
    );
}

function extendCommand(context: CliContext): Command {
  return new Command('extend')
    .description('hold a review for another quarter of an hour')
    .addArgument(review())
    .addOption(actor())
    .addOption(json())
    .action((id: string, options: LeaseOptions) =>
      onDesk(context, async (desk) => {
        const task = await extendReview(desk, { review: id, actor: nameOf(options) });
        return options.json ? line(summariseReview(task, desk.now())) : heldLine(task);
      }),
    );
}

function releaseCommand(context: CliContext): Command {
  return new Command('release')
    .description('let a review go')
    .addArgument(review())
    .addOption(actor())
    .addOption(json())
    .action((id: string, options: LeaseOptions) =>
      onDesk(context, async (desk) => {
        const who = { review: id, actor: nameOf(options) };
        const change = { action: 'releaseReview', subject: id, actor: who.actor };
        const task = await changing(context, desk.store, change, () => releaseReview(desk, who), named);
        return options.json ? line(summariseReview(task, desk.now())) : `${shortId(task.id)} is free.\n`;
      }),
    );
}

/** Prints what the work says. */
function onDesk(context: CliContext, work: (desk: Desk) => Promise<string>): Promise<void> {
  return withStore(context, async (store) => {
    context.terminal.out(await work({ store, now: () => context.now() }));
  });
}

const named = ({ id, tenant }: ReviewTask) => ({ subject: id, tenant });

function heldLine({ id, holder, leaseExpiresAt }: ReviewTask): string {
  return `${shortId(id)} is held by ${holder} until ${minute(instant(leaseExpiresAt ?? 0))}.\n`;
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
