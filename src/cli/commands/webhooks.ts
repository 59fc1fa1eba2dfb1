import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import {
  type DeliveryView,
  viewDelivery,
  viewWebhook,
  type WebhookView,
} from '../../application/views/webhook-view.js';
import {
  addWebhook,
  findWebhook,
  removeWebhook,
  resendDelivery,
  rotateWebhook,
  type WebhookSecret,
} from '../../application/webhooks.js';
import { type DeliveryState, deliveryStates, type WebhookEndpoint } from '../../ports/webhook-store.js';
import type { CliContext } from '../context.js';
import { duration, minute, shortId } from '../format.js';
import { all, cursor, json, limit, tenant } from '../options.js';
import { listed, printChange, printPage } from '../page.js';
import { withStore } from '../session.js';
import { facts, table } from '../table.js';
import { changing } from '../trail.js';

const webhook = () => new Argument('<id>', 'its id, or the first 8 or more digits of it');

/** `endstop webhooks add|list|rotate|remove|deliveries|resend`. */
export function webhooksCommand(context: CliContext): Command {
  return new Command('webhooks')
    .description('tell other systems what happens: signed requests, retried for a day')
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(removeCommand(context))
    .addCommand(deliveriesCommand(context))
    .addCommand(resendCommand(context));
}

interface AddOptions {
  readonly tenant?: string;
  readonly perExtraction?: true;
  readonly json?: true;
}

function addCommand(context: CliContext): Command {
  return new Command('add')
    .description('have a URL told of what happens from now on; prints its secret, this once')
    .argument('[url]', 'where requests go; https unless ENDSTOP_WEBHOOK_ALLOW_PRIVATE=1')
    .option('--tenant <name>', "only of this tenant's documents (default: everybody's)")
    .option('--per-extraction', 'instead of a URL: make the secret that signs for URLs named by submissions')
    .addOption(json())
    .action((url: string | undefined, options: AddOptions) => {
      if ((url === undefined) !== (options.perExtraction === true)) {
        throw new ApplicationError('invalid_request', 'Name one URL, or say --per-extraction.');
      }
      const { allowPrivateWebhooks: allowPrivate } = context.config();
      return withStore(context, async (store) => {
        const added = { url: url ?? null, tenant: options.tenant ?? null, allowPrivate, now: context.now() };
        const made = await changing(
          context,
          store,
          { action: 'addWebhook', tenant: added.tenant },
          () => addWebhook(store, added),
          ({ endpoint }) => named(endpoint),
        );
        printSecret(context, made, options.json === true);
      });
    });
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list webhooks, the oldest first')
    .addOption(tenant('all'))
    .addOption(json())
    .action((options: { readonly tenant?: string; readonly json?: true }) =>
      withStore(context, async (store) => {
        const filter = options.tenant === undefined ? {} : { tenant: options.tenant };
        const items = (await store.webhooks.list(filter, context.now())).map(viewWebhook);
        printPage(context, { items, nextCursor: null }, options.json === true, webhookTable);
      }),
    );
}

function rotateCommand(context: CliContext): Command {
  return new Command('rotate')
    .description('give a webhook a new secret; prints it, this once')
    .addArgument(webhook())
    .addOption(
      new Option('--overlap <hours>', 'the secret before signs too for so long; 0 when it leaked')
        .argParser(hours)
        .default(24),
    )
    .addOption(json())
    .action((id: string, options: { readonly overlap: number; readonly json?: true }) =>
      withStore(context, async (store) => {
        const overlapMs = options.overlap * 3_600_000;
        const rotated = await changing(
          context,
          store,
          { action: 'rotateWebhook', subject: id },
          () => rotateWebhook(store, id, { overlapMs, now: context.now() }),
          ({ endpoint }) => named(endpoint),
        );
        printSecret(context, rotated, options.json === true);
      }),
    );
}

function removeCommand(context: CliContext): Command {
  return new Command('remove')
    .description('tell it nothing more; what is on its way is dropped')
    .addArgument(webhook())
    .addOption(json())
    .action((id: string, options: { readonly json?: true }) =>
      withStore(context, async (store) => {
        const endpoint = await changing(
          context,
          store,
          { action: 'removeWebhook', subject: id },
          () => removeWebhook(store, id, context.now()),
          named,
        );
        const said = `${shortId(endpoint.endpointId)} is removed.`;
        printChange(context, viewWebhook(endpoint), options.json, said);
      }),
    );
}

interface DeliveriesOptions {
  readonly failed?: true;
  readonly state?: DeliveryState;
  readonly tenant?: string;
  readonly webhook?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly all?: true;
  readonly json?: true;
}

function deliveriesCommand(context: CliContext): Command {
  return new Command('deliveries')
    .description('list deliveries with what became of them, the newest first')
    .option('--failed', 'only those given up, or failing so far')
    .addOption(new Option('--state <word>', 'in this state').choices(deliveryStates))
    .addOption(tenant('all'))
    .option('--webhook <id>', 'only to this webhook')
    .addOption(limit(50))
    .addOption(cursor())
    .addOption(all())
    .addOption(json())
    .action((options: DeliveriesOptions) =>
      withStore(context, async (store) => {
        const to = options.webhook;
        const page = await listed(options, async (page) =>
          store.webhooks.deliveries(
            {
              ...(options.failed === undefined ? {} : { failed: true }),
              ...(options.state === undefined ? {} : { state: options.state }),
              ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
              ...(to === undefined
                ? {}
                : { endpointId: (await findWebhook(store, to, context.now())).endpointId }),
            },
            page,
          ),
        );
        const items = page.items.map(viewDelivery);
        printPage(context, { items, nextCursor: page.nextCursor }, options.json === true, deliveryTable);
      }),
    );
}

function resendCommand(context: CliContext): Command {
  return new Command('resend')
    .description('deliver once more, under the same webhook-id; the receiver has a day to take it')
    .argument('<delivery>', 'its id, or the first 8 or more digits of it')
    .addOption(json())
    .action((id: string, options: { readonly json?: true }) =>
      withStore(context, async (store) => {
        const delivery = await changing(
          context,
          store,
          { action: 'resendWebhookDelivery', subject: id },
          () => resendDelivery(store, id, context.now()),
          ({ deliveryId, event }) => ({ subject: deliveryId, tenant: event.tenant }),
        );
        const said = `${shortId(delivery.deliveryId)} is on its way again.`;
        printChange(context, viewDelivery(delivery), options.json, said);
      }),
    );
}

const named = ({ endpointId, tenant }: WebhookEndpoint) => ({ subject: endpointId, tenant });

/** A whole number of hours, from 0 to 30 days. */
function hours(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 720) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of hours from 0 to 720.');
}

function printSecret({ terminal }: CliContext, { endpoint, secret }: WebhookSecret, asJson: boolean): void {
  const view = viewWebhook(endpoint);
  if (asJson) {
    terminal.out(`${JSON.stringify({ ...view, secret })}\n`);
    return;
  }
  terminal.out(
    facts([
      ['webhook', view.id],
      ['url', view.url ?? 'whatever submissions name'],
      ['tenant', view.tenant ?? 'all'],
      ['secret', secret],
      ['old secret', view.rotatingUntil === null ? null : `signs too until ${minute(view.rotatingUntil)}`],
    ]),
  );
  terminal.error('Keep the secret: it is not shown again.\n');
}

function webhookTable(rows: readonly WebhookView[]): string {
  return table<WebhookView>(
    [
      { title: 'ID', cell: (row) => shortId(row.id) },
      { title: 'URL', most: 60, cell: (row) => row.url ?? '(named by submissions)' },
      { title: 'TENANT', cell: (row) => row.tenant ?? 'all' },
      { title: 'STATE', cell: (row) => (row.state === 'disabled' ? 'disabled (410)' : row.state) },
      { title: 'ROTATING UNTIL', cell: (row) => minute(row.rotatingUntil) ?? '' },
      { title: 'SINCE', cell: (row) => minute(row.createdAt) },
    ],
    rows,
  );
}

function deliveryTable(rows: readonly DeliveryView[]): string {
  return table<DeliveryView>(
    [
      { title: 'ID', cell: (row) => shortId(row.id) },
      { title: 'EVENT', cell: (row) => row.type },
      { title: 'EXTRACTION', cell: (row) => shortId(row.extractionId) },
      { title: 'URL', most: 40, cell: (row) => row.url },
      { title: 'STATE', cell: (row) => row.state },
      { title: 'TRIES', align: 'right', cell: (row) => String(row.tries.length) },
      { title: 'LAST', cell: (row) => lastTry(row) },
      { title: 'NEXT', cell: (row) => minute(row.dueAt) ?? '' },
    ],
    rows,
  );
}

function lastTry({ tries }: DeliveryView): string {
  const last = tries.at(-1);
  if (last === undefined) return '';
  const came = [last.status, last.error].filter((part) => part !== null).join(' ');
  return `${came} after ${duration(last.durationMs)}`;
}
