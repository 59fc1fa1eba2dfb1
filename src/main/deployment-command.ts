import { Command, InvalidArgumentError } from 'commander';
import { describeDeployment, promote } from '../adapters/temporal/deployment.js';
import type { CliContext } from '../cli/context.js';
import { json } from '../cli/options.js';
import { printChange, printPage } from '../cli/page.js';
import { withStore } from '../cli/session.js';
import { changing } from '../cli/trail.js';
import { ConfigError } from '../config-error.js';
import { temporalServerOf } from './parts.js';

interface Named {
  readonly name?: string;
  readonly percent?: number;
}

/** `endstop deployment`: which version of the workers gets work. Workers are versioned when they name a build. */
export function deploymentCommand(context: CliContext): Command {
  const name = ['--name <name>', 'the deployment; TEMPORAL_DEPLOYMENT_NAME unless told'] as const;
  const show = new Command('show')
    .description('the versions of the workers, and which of them gets work')
    .option(...name)
    .addOption(json())
    .action(async (options: Named & { readonly json?: true }) => {
      await asking(context, options, async (server, deployment) => {
        const routing = await describeDeployment(server, deployment);
        if (routing === null)
          throw new ConfigError(`No worker of a deployment "${deployment}" ever asked for work.`);
        printPage(context, { items: routing.versions, nextCursor: null }, options.json === true, (rows) =>
          rows.map(({ buildId, status }) => `${buildId}  ${status}\n`).join(''),
        );
      });
    });
  const give = new Command('promote')
    .description('give a version all new work; running documents end on the version that began them')
    .argument('<build>', 'the build id that its workers name in TEMPORAL_WORKER_BUILD_ID')
    .option(...name)
    .option('--percent <share>', 'only this share of what begins anew, to try it', parseShare)
    .addOption(json())
    .action(async (buildId: string, options: Named & { readonly json?: true }) => {
      await asking(context, options, async (server, deployment) => {
        const change = { action: 'promoteDeployment', subject: `${deployment}.${buildId}` };
        await withStore(context, (store) =>
          changing(context, store, change, () =>
            promote(server, { name: deployment, buildId }, options.percent ?? null),
          ),
        );
        const { percent = null } = options;
        const share = percent === null ? 'all new work' : `${percent} % of new work`;
        const said = `Version ${buildId} of ${deployment} gets ${share}.`;
        printChange(context, { deployment, buildId, percent }, options.json, said);
      });
    });
  return new Command('deployment')
    .description('versions of the workers: which of them gets work')
    .addCommand(show)
    .addCommand(give);
}

async function asking(
  context: CliContext,
  { name }: Named,
  work: (server: Parameters<typeof describeDeployment>[0], deployment: string) => Promise<void>,
): Promise<void> {
  const config = context.config();
  const deployment = name ?? config.deployment?.name;
  if (deployment === undefined) {
    throw new ConfigError('Which deployment? Name it with --name, or set TEMPORAL_DEPLOYMENT_NAME.');
  }
  const server = temporalServerOf(config);
  const { connect } = await import('../adapters/temporal/connection.js');
  const connection = await connect(server);
  try {
    await work({ connection, namespace: server.namespace }, deployment);
  } finally {
    await connection.close();
  }
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 100) return share;
  throw new InvalidArgumentError('A share is a number from 0 to 100.');
}
