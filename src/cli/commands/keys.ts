import { Command, InvalidArgumentError, Option } from 'commander';
import { createKey, revokeKey } from '../../application/api-keys.js';
import { type KeyView, viewKey } from '../../application/views/key-view.js';
import { type Role, roles } from '../../domain/principal.js';
import type { CliContext } from '../context.js';
import { minute } from '../format.js';
import { json, tenant } from '../options.js';
import { printPage } from '../page.js';
import { withStore } from '../session.js';
import { facts, table } from '../table.js';
import { changing } from '../trail.js';

/** `endstop keys create|list|revoke`. */
export function keysCommand(context: CliContext): Command {
  return new Command('keys')
    .description('who may use the API and the console, and for what')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context));
}

interface CreateOptions {
  readonly role: readonly Role[];
  readonly tenant?: string;
  readonly allTenants?: true;
  readonly json?: true;
}

function createCommand(context: CliContext): Command {
  return new Command('create')
    .description('make a key; prints its secret, this once')
    .argument('<name>', 'who or what uses it: the actor of what is changed with it')
    .addOption(
      new Option('--role <list>', `what it may do: comma-separated, of ${roles.join(', ')}`)
        .argParser(readRoles)
        .makeOptionMandatory(),
    )
    .option('--tenant <name>', 'whose data it sees (default: ENDSTOP_TENANT)')
    .addOption(
      new Option(
        '--all-tenants',
        "sees everybody's data; only with the role operate, or with metrics alone",
      ).conflicts('tenant'),
    )
    .addOption(json())
    .action((name: string, options: CreateOptions) => {
      const { tenant: ownTenant } = context.config();
      const asked = options.allTenants === true ? null : (options.tenant ?? ownTenant);
      return withStore(context, async (store) => {
        const now = () => context.now();
        const { key, secret } = await changing(
          context,
          store,
          { action: 'createKey', subject: name, tenant: asked },
          () => createKey({ store, now }, { name, tenant: asked, roles: options.role }),
          ({ key: { keyId, tenant } }) => ({ subject: keyId, tenant }),
        );
        const view = viewKey(key);
        context.terminal.out(
          options.json === true
            ? `${JSON.stringify({ ...view, secret })}\n`
            : facts([
                ['key', view.id],
                ['name', view.name],
                ['tenant', view.tenant ?? 'all'],
                ['roles', view.roles.join(', ')],
                ['secret', secret],
              ]),
        );
        context.terminal.error('Keep the secret: it is not shown again.\n');
      });
    });
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('list keys, the oldest first, also revoked ones')
    .addOption(tenant('all'))
    .addOption(json())
    .action((options: { readonly tenant?: string; readonly json?: true }) =>
      withStore(context, async (store) => {
        const filter = options.tenant === undefined ? {} : { tenant: options.tenant };
        const items = (await store.keys.list(filter)).map(viewKey);
        printPage(context, { items, nextCursor: null }, options.json === true, keyTable);
      }),
    );
}

function revokeCommand(context: CliContext): Command {
  return new Command('revoke')
    .description('have a key open nothing any more, at once')
    .argument('<key>', 'its id or its name')
    .addOption(json())
    .action((idOrName: string, options: { readonly json?: true }) =>
      withStore(context, async (store) => {
        const key = await changing(
          context,
          store,
          { action: 'revokeKey', subject: idOrName },
          () => revokeKey({ store, now: () => context.now() }, idOrName),
          ({ keyId, tenant }) => ({ subject: keyId, tenant }),
        );
        context.terminal.out(
          options.json === true ? `${JSON.stringify(viewKey(key))}\n` : `The key ${key.name} is revoked.\n`,
        );
      }),
    );
}

function readRoles(text: string): readonly Role[] {
  const asked = text.split(',').map((word) => word.trim());
  const unknown = asked.find((word) => !roles.some((role) => role === word));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`There is no role "${unknown}"; there are ${roles.join(', ')}.`);
  }
  return roles.filter((role) => asked.includes(role));
}

function keyTable(rows: readonly KeyView[]): string {
  return table<KeyView>(
    [
      { title: 'ID', cell: (row) => row.id },
      { title: 'NAME', cell: (row) => row.name },
      { title: 'TENANT', cell: (row) => row.tenant ?? 'all' },
      { title: 'ROLES', cell: (row) => row.roles.join(', ') },
      { title: 'SINCE', cell: (row) => minute(row.createdAt) },
      { title: 'LAST USED', cell: (row) => minute(row.lastUsedAt) ?? 'never' },
      { title: 'REVOKED', cell: (row) => minute(row.revokedAt) ?? '' },
    ],
    rows,
  );
}
