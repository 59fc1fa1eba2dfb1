import { cancelBatch } from '../../src/application/batches.js';
import { cancelExtraction } from '../../src/application/cancel-extraction.js';
import { decideReview } from '../../src/application/decide-review.js';
import { cancelRedrive, followRedrive, redriveByKey, startRedrive } from '../../src/application/redrive.js';
import { setRetention } from '../../src/application/retention.js';
import { taskQueues } from '../../src/domain/task-queue.js';
import { workflowIds } from '../../src/domain/workflow-id.js';
import type { Extraction } from '../../src/ports/extraction-store.js';
import type { Spec } from '../../src/spec/spec.js';
import { lowerCapSignal } from '../../workflows/messages.js';
import { held, type Turn } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';
import { prepareBatch } from './batch-scene.js';
import { claimSpec } from './claim-specs.js';
import type { Scene } from './scene.js';

/** One way through the workflows that must replay for ever. */
export interface RecordedScenario {
  readonly name: string;
  /** Resolves to the ids of the workflows whose histories are kept, all of them closed. */
  run(scene: Scene): Promise<readonly string[]>;
}

const fine = {};
const misread = { behaviour: { misread: 1 } };
const stubborn = { behaviour: { misread: 1, stubborn: 1 } };
const brokenOff = { behaviour: { halfBody: 1 } };
const overloaded = { behaviour: { rate529: 1 } };

const plain = claimSpec('claim-plain');
const growing = claimSpec('claim-growing', { policy: { tokenCeilings: [40, 3_000] } });
const patient = claimSpec('claim-patient', { policy: { outage: { patienceMs: 400, pauseMs: 200 } } });
const waiting = claimSpec('claim-waiting', { policy: { outage: { patienceMs: 20_000, pauseMs: 20_000 } } });
/** Tokens for two calls as they are estimated and one that is answered, not for three and one. */
const counted = claimSpec('claim-counted', {
  policy: {
    tokenCap: 10_000,
    transport: { maximumCalls: 1, backoffTotalMs: 0 },
    outage: { patienceMs: 600, pauseMs: 100 },
  },
});
const late = claimSpec('claim-late', { policy: { deadlineMs: 5_000, estimateMs: [5_500] } });
const unrepaired = claimSpec('claim-unrepaired', { repairBudget: { share: 0, floor: 0, windowMs: 60_000 } });
const withTemplate = claimSpec('claim-template', {
  policy: { tokenCeilings: [40], routes: [{ to: 'fallback' }, { to: 'dead_letter' }] },
});
const bestEffort = claimSpec('claim-best-effort', { policy: { routes: [{ to: 'best_effort' }] } });

export const recordedSpecs: readonly Spec[] = [
  plain,
  growing,
  patient,
  waiting,
  counted,
  late,
  unrepaired,
  withTemplate,
  bestEffort,
];

/** A scenario that needs no more than a document and what its calls meet. */
function simple(name: string, spec: Spec, turns: readonly Turn[], paper = ''): RecordedScenario {
  return {
    name,
    run: async (scene) => {
      const { extraction } = await scene.run({ spec, text: `${paper}\n${claimText({})}`, turns });
      await closed(scene, workflowIds.extraction(extraction.key));
      const children = [
        workflowIds.fallback(extraction.key, extraction.run),
        workflowIds.bestEffort(extraction.key, extraction.run),
      ];
      const there = await Promise.all(children.map(async (id) => ((await exists(scene, id)) ? [id] : [])));
      return [workflowIds.extraction(extraction.key), ...there.flat()];
    },
  };
}

/** A scenario that steps in while the first call is held. */
function whileCalling(
  name: string,
  turn: Turn,
  stepIn: (scene: Scene, run: Extraction) => Promise<unknown>,
): RecordedScenario {
  return {
    name,
    run: async (scene) => {
      const text = claimText({});
      const first = held(turn);
      const extraction = await scene.submit({ spec: plain, text, turns: [first.turn, fine] });
      await scene.models.arrived(text, 1);
      await stepIn(scene, extraction);
      first.release();
      await scene.ended(extraction);
      await closed(scene, workflowIds.extraction(extraction.key));
      return [workflowIds.extraction(extraction.key)];
    },
  };
}

/** A run that ends in review, and what becomes of the review. */
function reviewed(
  name: string,
  settle: (scene: Scene, run: Extraction) => Promise<unknown>,
  reviewSlaMs = 60_000,
): RecordedScenario {
  return {
    name,
    run: async (scene) => {
      const app = { ...scene.house.app, reviewSlaMs };
      const turns = [stubborn, stubborn, fine];
      const { extraction } = await scene.run({ spec: plain, text: claimText({}), turns, app });
      const review = workflowIds.humanReview(extraction.subject);
      await closed(scene, workflowIds.extraction(extraction.key));
      await settle(scene, extraction);
      await closed(scene, review);
      return [workflowIds.extraction(extraction.key), review];
    },
  };
}

const handle = (scene: Scene, id: string) => scene.client.workflow.getHandle(id);
const closed = async (scene: Scene, id: string): Promise<void> => void (await handle(scene, id).result());
const exists = async (scene: Scene, id: string): Promise<boolean> =>
  await handle(scene, id)
    .describe()
    .then(() => true)
    .catch(() => false);

const reject = (scene: Scene, { key }: Extraction) =>
  decideReview(scene.house.app, {
    review: key,
    actor: 'ada',
    verb: 'reject',
    values: null,
    note: 'not a claim',
    overrides: [],
    ifVersion: null,
  });

export const recordedScenarios: readonly RecordedScenario[] = [
  simple('verified', plain, [fine]),
  simple('repaired', plain, [misread, fine]),
  simple('truncated', growing, [fine]),
  simple('refused', plain, [fine], 'Stock lost: sarin precursors.'),
  simple('overloaded', plain, [overloaded]),
  simple('outage-sat-out', patient, [overloaded, overloaded, overloaded, fine]),
  // The folder of 0.1.0 also keeps `outage-counted-twice`: this scenario as it went when what was told again was added again.
  simple('outage-that-cost', counted, [brokenOff, brokenOff, fine]),
  simple('too-late', late, [fine]),
  simple('no-permit', unrepaired, [misread]),
  simple('fallback', withTemplate, [fine], 'HARBOUR BROKERS - Notice of claim\nClaim No.: CL-77'),
  simple('fallback-found-nothing', withTemplate, [fine], 'HARBOUR BROKERS - Notice of claim'),
  simple('best-effort', bestEffort, [stubborn]),
  whileCalling('cancelled', misread, (scene, { key }) => cancelExtraction(scene.house.app, key)),
  whileCalling('cancelled-in-the-temporal-way', misread, (scene, { key }) =>
    handle(scene, workflowIds.extraction(key)).cancel(),
  ),
  whileCalling('cap-lowered', misread, (scene, { key }) =>
    handle(scene, workflowIds.extraction(key)).signal(lowerCapSignal, 1),
  ),
  {
    name: 'cancelled-in-an-outage',
    run: async (scene) => {
      const text = claimText({});
      const extraction = await scene.submit({ spec: waiting, text, turns: [overloaded] });
      while (!(await scene.events(extraction)).includes('timerStarted')) await scene.models.arrived(text, 3);
      await cancelExtraction(scene.house.app, extraction.key);
      await scene.ended(extraction);
      await closed(scene, workflowIds.extraction(extraction.key));
      return [workflowIds.extraction(extraction.key)];
    },
  },
  {
    name: 'policy-of-another-version',
    run: async (scene) => {
      const { row, input } = await scene.prepare({ spec: plain, text: claimText({}) });
      await scene.house.app.engine.start({ ...input, policy: { ...input.policy, tokenCeilings: [] } });
      await closed(scene, workflowIds.extraction(row.key));
      return [workflowIds.extraction(row.key)];
    },
  },
  reviewed('reviewed', reject),
  reviewed(
    'escalated',
    async (scene, run) => {
      const { reviews } = scene.house.app.store;
      while ((await reviews.find(run.subject))?.escalatedAt == null) await scene.ended(run);
      await reject(scene, run);
    },
    300,
  ),
  reviewed('review-withdrawn', async (scene, { key }) => {
    const again = await redriveByKey(scene.house.app, key, null);
    await scene.ended(again);
    await closed(scene, workflowIds.extraction(key));
  }),
  redriven('redriven', async (scene, id) => {
    await followRedrive(scene.house.app, id, () => undefined);
  }),
  redriven('redrive-cancelled', async (scene, id) => {
    await cancelRedrive(scene.house.app, id);
  }),
  {
    name: 'batch-over-budget',
    run: async (scene) => {
      const plans = Array.from({ length: 8 }, () => [misread, fine]);
      const batch = await prepareBatch(scene, 'over-budget', plain, plans, {
        inFlight: 2,
        budgetTokens: 6_000,
      });
      await batch.start();
      await closed(scene, workflowIds.batch('over-budget'));
      return [workflowIds.batch('over-budget')];
    },
  },
  {
    name: 'batch-cancelled',
    run: async (scene) => {
      const first = held(fine);
      const plans = [[first.turn], [first.turn], [fine]];
      const batch = await prepareBatch(scene, 'cancelled', plain, plans, { inFlight: 2 });
      await batch.start();
      await scene.models.arrived(batch.texts[0] ?? '', 1);
      await cancelBatch(scene.house.app, 'cancelled', 'let_finish');
      await cancelBatch(scene.house.app, 'cancelled', 'cancel_runs');
      first.release();
      await closed(scene, workflowIds.batch('cancelled'));
      return [workflowIds.batch('cancelled')];
    },
  },
  scheduled('reconciled', 'reconcile'),
  // The one before was recorded when no batch was looked at.
  scheduled('reconciled-batches', 'reconcile'),
  scheduled('swept', 'sweepRetention', async (scene) => {
    // More rules than one activity carries out.
    for (let tenant = 1; tenant <= 25; tenant += 1) {
      const rule = { tenant: `swept-${tenant}`, documentDays: 30, recordDays: null };
      await setRetention(scene.house.app, rule);
    }
  }),
];

/** A workflow that a schedule would start. */
function scheduled(
  name: string,
  type: string,
  prepare: (scene: Scene) => Promise<void> = async () => undefined,
): RecordedScenario {
  return {
    name,
    run: async (scene) => {
      await prepare(scene);
      const workflowId = `${type}-once`;
      const taskQueue = taskQueues.workflows;
      const started = await scene.client.workflow.start(type, { workflowId, taskQueue, args: [] });
      await started.result();
      return [workflowId];
    },
  };
}

/** A redrive of two parked letters, one at a time, and what is done with it. */
function redriven(name: string, settle: (scene: Scene, id: string) => Promise<unknown>): RecordedScenario {
  return {
    name,
    run: async (scene) => {
      const submission = { tenant: name };
      const turns = [overloaded, overloaded, overloaded, fine];
      for (const text of [claimText({}), claimText({})]) {
        await scene.run({ spec: plain, text, turns, submission });
      }
      await startRedrive(scene.house.app, {
        ...{ id: name, selection: submission, promptVersion: null, most: null, perSecond: null },
        inFlight: 1,
      });
      await settle(scene, name);
      await closed(scene, workflowIds.redrive(name));
      return [workflowIds.redrive(name)];
    },
  };
}
