import { Option } from 'commander';
import type { ToldRuns } from '../application/reports.js';
import type { FailureClass } from '../domain/failure-class.js';
import { failureClasses } from '../domain/failure-class.js';
import type { ReportFilter } from '../ports/report-store.js';
import type { Store } from '../ports/store.js';
import type { CliContext } from './context.js';
import { instant, spec, tenant } from './options.js';
import { startReading } from './progress.js';
import { withStore } from './session.js';

/** Which runs a report, a plan, a fitted world or an audit is of. */
export interface ReportFlags {
  readonly spec?: string;
  readonly version?: string;
  readonly class?: FailureClass;
  readonly tenant?: string;
  readonly since?: number;
  readonly until?: number;
}

export const reportOptions = (): readonly Option[] => [
  spec(),
  new Option('--version <label>', 'only under this prompt version'),
  new Option('--class <word>', 'only documents of which an attempt was rejected with this class').choices(
    failureClasses,
  ),
  tenant(),
  new Option(
    '--since <instant>',
    'begun then or later: 2026-03-01, or with a time (default: 30 days before --until)',
  ).argParser(instant),
  new Option('--until <instant>', 'begun before then (default: now)').argParser(instant),
];

/** Opens the store and shows how many runs were read, where somebody can see it. */
export async function readingRuns<T>(
  context: CliContext,
  work: (store: Store, tell: ToldRuns) => Promise<T>,
): Promise<T> {
  const reading = startReading(context.terminal, 'runs');
  try {
    return await withStore(context, (store) => work(store, reading.tell));
  } finally {
    reading.stop();
  }
}

export function reportFilter(flags: ReportFlags): ReportFilter {
  const { spec, version, class: failureClass, tenant, since, until } = flags;
  return {
    ...(spec === undefined ? {} : { specId: spec }),
    ...(version === undefined ? {} : { promptVersion: version }),
    ...(failureClass === undefined ? {} : { failureClass }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}
