import type { Application } from '../application/application.js';
import { awaitEnd } from '../application/await-outcome.js';
import { readOutcome } from '../application/read-outcome.js';
import { submitExtraction } from '../application/submit-extraction.js';
import { type ExtractionView, viewExtraction } from '../application/views/extraction-view.js';
import type { CliContext } from '../cli/context.js';
import { readDocument } from '../cli/document-file.js';
import { extractionTable } from '../cli/extraction-table.js';
import { duration, outcomeColour, outcomeWord, shortId, why } from '../cli/format.js';
import { withApplication } from '../cli/session.js';
import { paint } from '../cli/terminal.js';
import { workflowIds } from '../domain/workflow-id.js';
import { listSamples, type Sample } from './sample-set.js';

/** Documents in flight: few enough that each line comes as soon as its document is done. */
const inFlight = 8;

/**
 * Extracts every sample as a tenant of its own, so that each demo makes new calls; a line per ending, then what they came
 * to, and those that did not verify as a table. Ends
 * early, without either, when `signal` aborts.
 */
export async function runDemo(context: CliContext, signal: AbortSignal): Promise<void> {
  const { terminal } = context;
  const samples = await listSamples();
  const tenant = `demo-${new Date(context.now())
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-')}`;
  terminal.out(`\nExtracting ${samples.length} sample documents as tenant ${tenant}.\n\n`);
  await withApplication(context, [], async (app) => {
    const views: (ExtractionView | undefined)[] = samples.map(() => undefined);
    const waiting = [...samples.entries()];
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [place, sample] = next;
        const view = await extractSample(context, app, sample, tenant, signal);
        if (signal.aborted) return;
        views[place] = view;
        terminal.out(line(context, view));
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    if (signal.aborted) return;
    const done = views.filter((view) => view !== undefined);
    const unverified = done.filter(({ outcomeKind }) => outcomeKind !== 'verified');
    terminal.out(`\n${summary(done)}\nWhat did not verify:\n${extractionTable(terminal, unverified)}`);
    const worthALook = eventful(done);
    if (worthALook !== undefined) {
      terminal.out(
        `\nLook closer:  the console (below)   npx endstop attempts ${shortId(worthALook.id)}   npx endstop review list\n`,
      );
    }
  });
}

/** The run with the most to see: one that recovered after a rejected attempt, else whichever took most of them. */
export function eventful<Run extends Pick<ExtractionView, 'outcomeKind' | 'attempts'>>(
  runs: readonly Run[],
): Run | undefined {
  const byAttempts = [...runs].sort((left, right) => right.attempts - left.attempts);
  return (
    byAttempts.find(({ outcomeKind, attempts }) => outcomeKind === 'verified' && attempts > 1) ??
    byAttempts[0]
  );
}

async function extractSample(
  context: CliContext,
  app: Application,
  sample: Sample,
  tenant: string,
  signal: AbortSignal,
): Promise<ExtractionView> {
  const { extraction } = await submitExtraction(app, {
    tenant,
    specId: sample.spec,
    document: await readDocument(sample.path),
    fileName: sample.name,
    tags: ['demo'],
    budgets: {},
    redrive: false,
  });
  const row = await awaitEnd(app, extraction, signal);
  return viewExtraction(
    await readOutcome(app.store, row),
    context.engineUrl(workflowIds.extraction(row.key)),
    app.catalogue,
  );
}

function line({ terminal }: CliContext, view: ExtractionView): string {
  const verdict = paint(terminal, outcomeColour(view), outcomeWord(view).padEnd(10));
  return `${verdict}  ${(view.fileName ?? '').padEnd(36)}  ${duration(view.durationMs).padStart(7)}  ${why(view)}\n`;
}

/** Documents by how they ended, most first. Shares always stand beside their counts. */
function summary(views: readonly ExtractionView[]): string {
  const counts = new Map<string, number>();
  for (const view of views) {
    const ending = view.reason === null ? outcomeWord(view) : `${outcomeWord(view)}: ${view.reason}`;
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  const sum = (pick: (view: ExtractionView) => number) =>
    views.reduce((total, view) => total + pick(view), 0);
  const lines = [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(
      ([ending, count]) =>
        `${String(count).padStart(4)}  ${((100 * count) / views.length).toFixed(1).padStart(5)} %  ${ending}\n`,
    );
  return `${lines.join('')}${String(views.length).padStart(4)} documents, ${sum(({ calls }) => calls)} calls, ${sum(({ tokens }) => tokens)} tokens\n`;
}
