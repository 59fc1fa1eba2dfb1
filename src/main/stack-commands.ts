import { once } from 'node:events';
import { Command } from 'commander';
import { exitCodes } from '../cli/fault.js';
import { facts } from '../cli/table.js';
import { paint } from '../cli/terminal.js';
import { ConfigError } from '../config-error.js';
import { defaultPorts } from '../embedded/ports.js';
import type { Stack } from '../embedded/stack-options.js';
import { stopSignal } from '../embedded/stop-signal.js';
import type { Catalogue } from '../spec/catalogue.js';
import type { ProcessContext } from './context.js';
import { modelOfStack, modelText, whyUnreachable } from './model-server.js';
import { listSamples, type Sample } from './sample-set.js';

/** `endstop up`: the whole stack on this machine, until Ctrl-C. */
export function upCommand(context: ProcessContext): Command {
  return new Command('up')
    .description('bring up everything on this machine: Postgres, Temporal, model stand-in, worker, API')
    .addHelpText('after', settings)
    .action(async () => {
      await withStack(context, async (stack, signal) => {
        context.terminal.out(addresses(stack));
        await warnOfModel(context, stack);
        if (stack.attached) {
          context.terminal.out(`It runs already, in process ${stack.supervisorPid}.\n`);
          return;
        }
        context.terminal.out('Ctrl-C stops it.\n');
        await aborted(signal);
      });
    });
}

/** `endstop demo`, which `npm start` runs. */
export function demoCommand(context: ProcessContext): Command {
  return new Command('demo')
    .description('bring the stack up and extract the sample documents as a new tenant')
    .option('--once', 'exit when the samples are done instead of staying up')
    .action(async (options: { readonly once?: true }) => {
      assertSamplesKnown(await context.catalogue([]), await listSamples());
      await withStack(context, async (stack, signal) => {
        const { runDemo } = await import('./demo.js');
        await runDemo(context, signal);
        if (signal.aborted) return;
        if (options.once && !stack.attached) {
          context.terminal.out(
            '\nThe stack ends with this command; "npm start" without --once keeps it up.\n',
          );
          return;
        }
        context.terminal.out(`\n${addresses(stack)}`);
        await warnOfModel(context, stack);
        if (stack.attached) return;
        context.terminal.out(
          '\nThe stack stays up; Ctrl-C stops it. Next time: npx endstop up (same data, without the samples).\n',
        );
        await aborted(signal);
      });
    });
}

/** Said before anything starts: without their specs no sample can be extracted. */
function assertSamplesKnown(catalogue: Catalogue, samples: readonly Sample[]): void {
  const missing = new Set(samples.map(({ spec }) => spec).filter((id) => catalogue.current(id) === null));
  if (missing.size === 0) return;
  throw new ConfigError(
    `The samples are documents of the specs ${[...missing].join(', ')}, which the files of ENDSTOP_SPECS do not have: ` +
      'name the examples as well (ENDSTOP_SPECS=specs/index.ts,...), or run "endstop up", which extracts no samples.',
  );
}

/**
 * Runs `work` beside the stack, which it must let go when the signal aborts; ends the stack afterwards unless another
 * process runs it.
 */
async function withStack(
  context: ProcessContext,
  work: (stack: Stack, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { terminal } = context;
  // A spec file that cannot be used is the caller's mistake: it is told before anything starts.
  await context.catalogue([]);
  const crashed = new AbortController();
  const signal = AbortSignal.any([stopSignal(), crashed.signal]);
  const { bringUp } = await import('./local-stack.js');
  const stack = await bringUp({
    config: context.config(),
    env: process.env,
    signal,
    say: (line) => terminal.error(`${paint(terminal, 'dim', line)}\n`),
    onCrash: ({ name, how, logPath, logLines }) => {
      terminal.error(
        `${name} ended (${how}); its log is ${logPath}:\n${logLines.map((line) => `  ${line}\n`).join('')}`,
      );
      context.exitCode = exitCodes.fault;
      crashed.abort();
    },
  });
  context.reread();
  if (stack.differing.length > 0) {
    terminal.error(
      `The stack that runs keeps the settings it was started with; ${stack.differing.join(', ')} ` +
        `${stack.differing.length === 1 ? 'differs' : 'differ'} here. Stop process ${stack.supervisorPid} and start again to change that.\n`,
    );
  }
  // At once: what is under way may take a while to end.
  if (!stack.attached) {
    signal.addEventListener('abort', () => terminal.error('Stopping ...\n'));
  }
  try {
    // Waited for also when it is to end: calls under way must not find that their connection is gone.
    await work(stack, signal);
  } catch (error) {
    // What fails because its stack is going down says nothing new.
    if (!signal.aborted) throw error;
  } finally {
    await stack.stop();
  }
  if (!stack.attached) terminal.error('Stopped. Everything is kept; "endstop up" goes on with it.\n');
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

const settings = `
Settings, none of which is needed:
  ENDSTOP_HOME                          the folder that keeps everything (.endstop)
  ENDSTOP_SPECS                         your spec files instead of the examples, with commas between them
  ENDSTOP_API_HOST, ENDSTOP_API_PORT    where console and API answer (127.0.0.1, ${defaultPorts.api})
  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL a model instead of the stand-in (port ${defaultPorts.standin})
  DATABASE_URL                          your Postgres instead of an own one (port ${defaultPorts.postgres})
  TEMPORAL_ADDRESS                      your Temporal instead of an own one (ports ${defaultPorts.temporal} and ${defaultPorts.temporalUi})
Where a port is taken, another one is used, and told: but for ENDSTOP_API_PORT, which is used or refused. Beside another
stack, a stack keeps the ports it got there the last time.
`;

/** Said at the start, or every document would be a run that gives up after its last call. */
async function warnOfModel({ terminal }: ProcessContext, stack: Stack): Promise<void> {
  const model = modelOfStack(stack);
  const why = model === null || model.provider === 'stand-in' ? null : await whyUnreachable(model);
  if (why !== null) terminal.error(`${paint(terminal, 'yellow', why)}\n`);
}

export function addresses(stack: Pick<Stack, 'urls' | 'temporalAddress' | 'databaseUrl' | 'model'>): string {
  const { urls, temporalAddress, databaseUrl } = stack;
  const model = modelOfStack(stack);
  return facts([
    ['Console', urls['api'] === undefined ? null : `${urls['api']}/console`],
    ['API', urls['api'] ?? null],
    ['Temporal UI', urls['temporalUi'] ?? null],
    ['Temporal', temporalAddress],
    ['Postgres', new URL(databaseUrl).host],
    ['Model', model === null ? null : modelText(model)],
  ]);
}
