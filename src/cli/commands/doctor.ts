import { Command } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { breakerStandings } from '../../application/breakers.js';
import { reconcileAll } from '../../application/reconcile.js';
import { parkStrayed } from '../../application/reconcile-runs.js';
import { repairStandings } from '../../application/repairs.js';
import { assertHonestLabels } from '../../application/spec-labels.js';
import { summarise } from '../../application/views/extraction-view.js';
import { lastCallOf, whatToDo } from '../../application/views/what-to-do.js';
import type { Reason } from '../../domain/reason.js';
import type { Mended } from '../../domain/reconciliation.js';
import type { ReportedBreaker } from '../../ports/breaker-store.js';
import type { Store } from '../../ports/store.js';
import type { CliContext } from '../context.js';
import { exitCodes, readCliFault } from '../fault.js';
import { counted } from '../format.js';
import { json } from '../options.js';
import { withApplication, withStore } from '../session.js';
import { table } from '../table.js';
import { asCalled, paint } from '../terminal.js';
import { pausedText } from './repairs.js';

/** One thing that must be right for runs to end well. `run` says what it found, or throws what is wrong. */
export interface DoctorCheck {
  readonly name: string;
  /** Another check, before it: where that one finds something wrong, this one would only repeat it and is left out. */
  readonly needs?: string;
  run(asked: DoctorAsked): Promise<string>;
}

/** What the doctor may change. */
export interface DoctorAsked {
  readonly repair: boolean;
  readonly removeOrphans: boolean;
}

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly says: string;
}

/** `endstop doctor`. `more` are checks of what this folder knows nothing about, such as whether workers are there. */
export function doctorCommand(context: CliContext, more: readonly DoctorCheck[]): Command {
  return new Command('doctor')
    .description('check settings, specs, database, engine and model (exit code 1 when something is wrong)')
    .option('--repair', 'put right what the store holds open and no workflow carries')
    .option('--remove-orphans', 'delete the databases that root keeps for state folders that are gone')
    .addOption(json())
    .action(async (options: Partial<DoctorAsked> & { readonly json?: true }) => {
      const { repair = false, removeOrphans = false } = options;
      const findings: Finding[] = [];
      const wrong = new Map<string, string>();
      for (const check of [...ownChecks(context), ...more]) {
        if (wrong.has('settings') || wrong.has(check.needs ?? '')) continue;
        const finding = await examine(check, { repair, removeOrphans });
        // A stack that is stopped is missing as database, as engine and as model: it is said once.
        if (![...wrong.values()].includes(finding.says)) findings.push(finding);
        if (!finding.ok) wrong.set(finding.name, finding.says);
      }
      if ([...upkeepNeeds].every((need) => findings.some(({ name, ok }) => ok && name === need))) {
        findings.push(await examine(upkeepCheck(context), { repair, removeOrphans }));
      }
      const { terminal } = context;
      if (options.json) for (const finding of findings) terminal.out(`${JSON.stringify(finding)}\n`);
      else
        terminal.out(
          table<Finding>(
            [
              { title: 'CHECK', cell: ({ name }) => name },
              {
                title: 'STATE',
                cell: ({ ok }) => (ok ? 'ok' : 'wrong'),
                paint: ({ ok }, text) => paint(terminal, ok ? 'green' : 'red', text),
              },
              { title: 'FOUND', cell: ({ says }) => asCalled(terminal, says) },
            ],
            findings,
          ),
        );
      if (findings.some(({ ok }) => !ok)) context.exitCode = exitCodes.fault;
    });
}

async function examine({ name, run }: DoctorCheck, asked: DoctorAsked): Promise<Finding> {
  try {
    return { name, ok: true, says: await run(asked) };
  } catch (error) {
    return { name, ok: false, says: readCliFault(error).message };
  }
}

/** Without these, nobody can tell whether runs are carried. */
const upkeepNeeds = new Set(['settings', 'specs', 'database', 'engine']);

function upkeepCheck(context: CliContext): DoctorCheck {
  return {
    name: 'runs',
    run: ({ repair }) =>
      withApplication(context, [], async (app) => {
        const mended = await reconcileAll(app, { mends: repair });
        const strayed = await parkStrayed(app, repair);
        const astray = [
          mendedText(mended),
          strayed === 0 ? '' : `${counted(strayed, 'closed run')} on a route that there is not parked`,
        ]
          .filter((text) => text !== '')
          .join('; ');
        if (astray === '') return 'every open run, review and batch is carried by a workflow';
        if (repair) return `put right: ${astray}`;
        throw new ApplicationError('unavailable', `To be put right by "endstop doctor --repair": ${astray}.`);
      }),
  };
}

function mendedText(mended: Mended): string {
  const counts: readonly (readonly [count: number, noun: string, what: string])[] = [
    [mended.closedRuns, 'open run', 'without a workflow closed as internal_error'],
    [mended.restartedRuns, 'open run', 'without a workflow started again'],
    [mended.landedRuns, 'closed run', 'whose landing was cut off brought to a place'],
    [mended.restartedReviews, 'open review', 'without a workflow started again'],
    [mended.endedReviews, 'review workflow', 'without a question ended'],
    [mended.parkedLetters, 'redriven dead letter', 'without a run parked again'],
    [mended.recoveredLetters, 'redriven dead letter', 'closed, since the run verified'],
    [mended.restartedBatches, 'lost batch workflow', 'started again'],
    [mended.failed, 'case', 'of which nobody can tell (the log of a worker may say why)'],
  ];
  return counts
    .flatMap(([count, noun, what]) => (count === 0 ? [] : [`${counted(count, noun)} ${what}`]))
    .join('; ');
}

/** "Calls to claude-haiku-5-5 are held back by 7@worker since 2026-03-01T12:00:00.000Z (overloaded)". */
function heldBack(open: readonly ReportedBreaker[]): string {
  return open
    .map(
      ({ model, worker, since, cause }) =>
        `Calls to ${model} are held back by ${worker} since ${new Date(since).toISOString()} (${cause ?? 'unknown'})`,
    )
    .join('; ');
}

/** Longer ago than this, a run says nothing about how the model's server is now. */
const recentMs = 600_000;

/** By the newest run whose call was answered, or given up. */
async function callsGetThrough(store: Store, now: number): Promise<string> {
  const since = { state: 'closed', startedFrom: now - recentMs } as const;
  const { items } = await store.extractions.list(since, { limit: 50 });
  const newest = items.find(({ provider, reason }) => provider !== null || isOfProvider(reason));
  if (newest === undefined) return 'no run of the last ten minutes called a model';
  if (!isOfProvider(newest.reason)) return `the newest run was answered by ${newest.provider}`;
  const run = summarise(newest);
  const mend = whatToDo(run, { lastCall: await lastCallOf(store, run) });
  throw new ApplicationError(
    'unavailable',
    `The newest run got no reply (${newest.reason}). ${mend ?? ''}`.trimEnd(),
  );
}

function isOfProvider(reason: Reason | null): boolean {
  return reason === 'provider_unavailable' || reason === 'provider_rejected';
}

function ownChecks(context: CliContext): readonly DoctorCheck[] {
  return [
    {
      name: 'settings',
      run: async () => `tenant ${context.config().tenant}, local stack in ${context.config().home}`,
    },
    {
      name: 'specs',
      run: async () => {
        const specs = (await context.catalogue([])).list();
        const known = specs.map(({ id, prompt }) => `${id} ${prompt.version}`).join(', ');
        const strange = context.strangeSpecs();
        return strange === null ? known : `${known}. ${strange}`;
      },
    },
    {
      name: 'database',
      run: async () => {
        const store = await context.openStore();
        try {
          await store.ping();
          return 'answers, and its schema is the one this code expects';
        } finally {
          await store.close();
        }
      },
    },
    {
      name: 'labels',
      needs: 'database',
      run: async () => {
        const specs = (await context.catalogue([])).list();
        const store = await context.openStore();
        try {
          await assertHonestLabels(store, specs);
          return 'every version label stands for what it was first used for';
        } finally {
          await store.close();
        }
      },
    },
    {
      name: 'repairs',
      needs: 'database',
      run: async () => {
        const catalogue = await context.catalogue([]);
        return await withStore(context, async (store) => {
          const standings = await repairStandings({ store, catalogue, now: () => context.now() });
          const pauses = standings.flatMap(({ spec, paused }) =>
            paused === null ? [] : [`${spec}: ${pausedText(paused)}`],
          );
          return pauses.join('; ') || 'no spec has its repairs paused';
        });
      },
    },
    {
      name: 'breakers',
      needs: 'database',
      run: async () =>
        await withStore(context, async (store) => {
          const { open, lost } = await breakerStandings({ store, now: () => context.now() });
          if (open.length > 0) throw new ApplicationError('unavailable', `${heldBack(open)}.`);
          return lost.length === 0
            ? 'no worker holds calls back'
            : `no worker that is there holds calls back; not heard of any more: ${lost.map(({ worker }) => worker).join(', ')}`;
        }),
    },
    {
      name: 'calls',
      needs: 'database',
      run: () => withStore(context, (store) => callsGetThrough(store, context.now())),
    },
    {
      name: 'engine',
      run: async () => {
        const engine = await context.openEngine();
        try {
          await engine.ping();
          const { address, namespace } = context.config().temporal;
          return `Temporal at ${address}, namespace ${namespace}`;
        } finally {
          await engine.close();
        }
      },
    },
  ];
}
