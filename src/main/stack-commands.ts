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
import { listSamples, type Sample } from './sample-set.js';

/** `endstop up`: the whole stack on this machine, until Ctrl-C. */
export function upCommand(context: ProcessContext): Command {
  return new Command('up')
    .description('bring up everything on this machine: Postgres, Temporal, model stand-in, worker, API')
    .action(async () => {
      await withStack(context, async (stack, signal) => {
        context.terminal.out(addresses(stack));
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
        if (stack.attached) return;
        context.terminal.out('\nThe stack stays up; Ctrl-C stops it.\n');
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
    for (const line of movedPorts(stack)) terminal.error(`${paint(terminal, 'dim', line)}\n`);
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
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** What else a user goes to and is not where it usually is; the API's is told while it starts. */
export function movedPorts({ urls }: Pick<Stack, 'urls'>): readonly string[] {
  const usual = [
    ['Temporal UI', urls['temporalUi'], defaultPorts.temporalUi],
    ['stand-in model', urls['standin'], defaultPorts.standin],
  ] as const;
  return usual.flatMap(([name, url, port]) => {
    const got = url === undefined ? String(port) : new URL(url).port;
    return got === String(port) ? [] : [`port ${port} is taken on this machine; the ${name} gets ${got}`];
  });
}

function addresses({ urls, temporalAddress, databaseUrl }: Stack): string {
  return facts([
    ['Console', urls['api'] === undefined ? null : `${urls['api']}/console`],
    ['API', urls['api'] ?? null],
    ['Temporal UI', urls['temporalUi'] ?? null],
    ['Temporal', temporalAddress],
    ['Postgres', new URL(databaseUrl).host],
    ['stand-in model', urls['standin'] ?? null],
  ]);
}
