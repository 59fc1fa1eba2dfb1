import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataConverter } from '../../src/adapters/temporal/data-converter.js';
import { bundleWorkflows } from '../../src/adapters/temporal/workflow-bundle.js';
import { textsOf } from '../support/decoded-history.js';

const fixtures = join(import.meta.dirname, '../fixtures/histories');
const root = join(import.meta.dirname, '../..');
const logger = new DefaultLogger('ERROR', () => undefined);

interface Recorded {
  readonly name: string;
  readonly text: string;
}

const recorded: readonly Recorded[] = readdirSync(fixtures).flatMap((version) =>
  readdirSync(join(fixtures, version)).map((file) => ({
    name: `${version}/${file.replace('.json', '')}`,
    text: readFileSync(join(fixtures, version, file), 'utf8'),
  })),
);

beforeAll(() => {
  const logging = { filter: makeTelemetryFilterString({ core: 'ERROR' }) };
  Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging } });
});

/** Replays every history; those that fail, by name, with why. */
async function failures(workflowBundle: WorkflowBundleWithSourceMap): Promise<ReadonlyMap<string, unknown>> {
  const histories = recorded.map(({ name, text }) => ({ workflowId: name, history: JSON.parse(text) }));
  const failed = new Map<string, unknown>();
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle, dataConverter },
    histories,
  )) {
    replayed += 1;
    if (error !== undefined) failed.set(workflowId.split('/')[1] ?? '', error);
  }
  expect(replayed).toBe(recorded.length);
  return failed;
}

/** The type of the workflow that a history is of, as its first event says. */
function startedType(text: string): string | undefined {
  const [first] = (JSON.parse(text) as { readonly events: readonly StartedEvent[] }).events;
  return first?.workflowExecutionStartedEventAttributes?.workflowType.name;
}

interface StartedEvent {
  readonly workflowExecutionStartedEventAttributes?: { readonly workflowType: { readonly name: string } };
}

describe('kept histories', () => {
  it('cover every workflow type', () => {
    const kept = new Set(recorded.map(({ text }) => startedType(text)));
    // The names that workers register and starters ask for.
    const exported = readFileSync(join(root, 'workflows/index.ts'), 'utf8').matchAll(/^export \{ (\w+) \}/gm);
    const types = [...exported].map(([, type]) => type);
    expect(types).toContain('extraction');
    expect([...kept].sort()).toEqual(types.sort());
    expect(recorded.length).toBeGreaterThanOrEqual(25);
  });

  it('are kept of every version that was released, each in a folder of its own, for ever', () => {
    const released = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm);
    const versions = [...released].map(([, version]) => version);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(versions).toContain(version);
    expect(readdirSync(fixtures).sort()).toEqual(versions.sort());
    for (const folder of versions) {
      const kept = recorded.filter(({ name }) => name.startsWith(`${folder}/`));
      expect(kept.length, `histories of ${folder}: npm run histories records them`).toBeGreaterThan(10);
    }
  });

  it('replay under the code of today', async () => {
    expect(await failures(await bundleWorkflows())).toEqual(new Map());
  });

  it.each(recorded)('$name says nothing of the machine it was recorded on', ({ text }) => {
    const texts = textsOf(text);
    expect(texts.length).toBeGreaterThan(50);
    // pid@host, an absolute path, a line of a stack.
    const telling = texts.filter((found) =>
      /^\d+@|\/(?:home|root|tmp|usr|work|Users)\/|file:|\bat .*:\d+:\d+/.test(found),
    );
    expect(telling).toEqual([]);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'endstop-planted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles a copy of the workflows in which one text of one file is another. */
async function planted(
  { file, from, to }: { readonly file: string; readonly from: string; readonly to: string },
  interceptor?: string,
): Promise<WorkflowBundleWithSourceMap> {
  const copy = mkdtempSync(join(folder, 'copy-'));
  for (const part of ['workflows', 'src', 'activities']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const source = readFileSync(join(copy, file), 'utf8');
  expect(source).toContain(from);
  writeFileSync(join(copy, file), source.replace(from, to));
  const modules = interceptor === undefined ? [] : [join(copy, 'interceptor.ts')];
  for (const path of modules) writeFileSync(path, interceptor ?? '');
  return await bundleWorkflowCode({
    logger,
    workflowsPath: join(copy, 'workflows/index.ts'),
    workflowInterceptorModules: modules,
    failureConverterPath: join(root, 'src/adapters/temporal/failure-converter.ts'),
  });
}

const unchanged = { file: 'workflows/run.ts', from: 'State of a running', to: 'State of any running' };

describe('a change that running documents would not survive', () => {
  it.each([
    {
      name: 'a timer before each attempt',
      file: 'workflows/run.ts',
      from: '    const remainingMs = this.remainingMs();',
      to: '    await condition(() => false, 10);\n    const remainingMs = this.remainingMs();',
      breaks: ['verified.extraction', 'repaired.extraction', 'overloaded.extraction'],
    },
    {
      name: 'a repair without a permit',
      file: 'src/domain/decide.ts',
      from: "if (state.permit?.attempt !== attempt) return { kind: 'permit', attempt };",
      to: 'if (state.permit === undefined) throw new Error();',
      breaks: ['repaired.extraction', 'no-permit.extraction'],
    },
    {
      name: 'a cancel that aborts a wait no longer',
      file: 'workflows/run.ts',
      from: 'condition(() => this.state.cancelRequested, decision.pauseMs)',
      to: 'condition(() => false, decision.pauseMs)',
      breaks: ['cancelled-in-an-outage.extraction'],
    },
    {
      name: 'another name for a child',
      file: 'src/domain/workflow-id.ts',
      from: '`fallback/$',
      to: '`fall-back/$',
      breaks: ['fallback.extraction', 'fallback-found-nothing.extraction'],
    },
    {
      name: 'a review that is not escalated',
      file: 'workflows/human-review.ts',
      from: 'await storeActivities.escalateReview(subject);',
      to: '',
      breaks: ['escalated.humanReview'],
    },
    {
      name: 'a redrive that does not rest while its window is full',
      file: 'workflows/redrive.ts',
      from: 'if (restMs > 0) await',
      to: 'if (restMs < 0) await',
      breaks: ['redriven.redrive'],
    },
    {
      name: 'a part that is not reconciled',
      file: 'src/domain/reconciliation.ts',
      from: "['runs', 'landings', 'reviews', 'clocks', 'letters', 'batches']",
      to: "['runs', 'letters', 'batches']",
      breaks: ['reconciled.reconcile', 'reconciled-batches.reconcile'],
    },
    {
      name: 'a part that is reconciled in histories of before',
      file: 'workflows/reconcile.ts',
      from: "!patched('batches')",
      to: "patched('batches') === undefined",
      breaks: ['reconciled.reconcile'],
    },
    {
      name: 'a sum of tokens that was decided on and is another now',
      file: 'workflows/run.ts',
      from: "|| patched('attempt-tells-all-it-spent')",
      to: "|| patched('attempt-tells-all-it-spent') !== undefined",
      breaks: ['outage-counted-twice.extraction'],
    },
    {
      name: 'a sweep that looks at no second part',
      file: 'workflows/retention.ts',
      from: 'if (point === null) break;',
      to: 'break;',
      breaks: ['swept.sweepRetention'],
    },
    {
      name: 'a best effort that is not kept',
      file: 'workflows/best-effort.ts',
      from: 'await storeActivities.keepBestEffort(ref);',
      to: 'if (ref.run === 0) await storeActivities.keepBestEffort(ref);',
      breaks: ['best-effort.bestEffort'],
    },
  ])('is caught: $name', async ({ breaks, ...change }) => {
    const failed = await failures(await planted(change));
    expect([...failed.keys()]).toEqual(expect.arrayContaining(breaks));
    for (const error of failed.values()) expect(error).toBeInstanceOf(DeterminismViolationError);
  });

  it('is not seen in a copy without a change', async () => {
    expect(await failures(await planted(unchanged))).toEqual(new Map());
  });
});

describe('eager dispatch, which would bypass the lanes', () => {
  /** Fails the scheduling of any activity that the server may hand back to this very worker. */
  const guard = `
    export const interceptors = () => ({
      outbound: [{
        async scheduleActivity(input, next) {
          if (input.options.allowEagerDispatch !== false) throw new Error('eager dispatch is on');
          return await next(input);
        },
      }],
    });`;

  it('is asked for by no activity', async () => {
    expect(await failures(await planted(unchanged, guard))).toEqual(new Map());
  });

  it('would be noticed', async () => {
    const file = 'workflows/activity-proxies.ts';
    const change = { file, from: 'allowEagerDispatch: false', to: 'allowEagerDispatch: true' };
    expect([...(await failures(await planted(change, guard))).keys()]).toContain('verified.extraction');
  });
});
