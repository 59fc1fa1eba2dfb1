import type { FailureClass } from '../domain/failure-class.js';
import type { Policy } from '../domain/policy.js';
import type { DocumentKind, Phase, Scenario } from './scenario.js';

const minute = 60_000;
const hour = 60 * minute;
const year = 365 * 24 * hour;

const only = (failureClass: FailureClass) => [{ failureClass, weight: 1 }];

const bounded: Policy = {
  attemptCap: 3,
  deadlineMs: minute,
  tokenCap: 60_000,
  moneyCap: null,
  tokenCeilings: [1_500, 3_000, 4_000],
  transport: { maximumCalls: 3, backoffTotalMs: 8_000 },
  repairLaneWaitMs: 5_000,
  outage: { patienceMs: 0, pauseMs: 10_000 },
  estimateMs: [3_000, 5_000],
  models: ['simulated'],
  routes: [
    { to: 'human_review', when: { reasons: ['contradiction', 'oscillation', 'refusal'] } },
    { to: 'fallback', when: { templateRecognised: true } },
    { to: 'human_review', when: { hasCandidate: true } },
  ],
};

/** The bounds of a loop that has none: out of reach of anything that happens in a week. */
const unbounded: Policy = { ...bounded, attemptCap: 1_000_000, deadlineMs: year, tokenCap: 1e12 };

const claim = (name: string, weight: number, medianMs: readonly number[], over: Partial<DocumentKind>) => ({
  name,
  weight,
  medianMs,
  pass: [1],
  inputTokens: 3_600,
  outputTokens: 600,
  fails: only('constraint'),
  spread: 0.09,
  answers: ['new'] as const,
  templateShare: 0.6,
  ...over,
});

/**
 * Claims by the attempt that mends them: 78.0, 12.1, 3.7, 1.5 and 0.7 of a hundred, and 4.0 that take a hard road of
 * some twelve attempts. The durations bring a single attempt to a median of 2.4 s and a p99 of 6.1 s, a document at
 * cap 3 to a mean of 3.9 s and a p99 of 12 s, and one without a cap to a mean of 5.9 s.
 */
const hardRoadMs = [3_720, 3_720, 3_720, 7_000, 5_300, 5_200];
const claims: readonly DocumentKind[] = [
  claim('at once', 780, [2_005], { spread: 0.499 }),
  claim('second attempt', 121, [3_500, 4_400], { pass: [0, 1] }),
  claim('third attempt', 37, hardRoadMs, { pass: [0, 0, 1] }),
  claim('fourth attempt', 15, hardRoadMs, { pass: [0, 0, 0, 1] }),
  claim('fifth attempt', 7, hardRoadMs, { pass: [0, 0, 0, 0, 1] }),
  claim('hard', 40, hardRoadMs, { pass: [0, 0, 0, 0, 0, 0.14] }),
  // No answer would pass. Every one takes minutes, so that 40 hours are some 700 attempts and 400,000 output tokens.
  claim('hopeless', 0, [200_000], { pass: [0] }),
  claim('contradicting', 0, [5_200], { pass: [0], answers: ['contradicting'] }),
];

/** Half a day: 2,000 documents within two hours, of which half a minute at 3.1 a second. */
const claimPhases: readonly Phase[] = [
  { durationMs: 8 * hour, perSecond: 0 },
  { durationMs: 1 * hour, perSecond: 0.265 },
  { durationMs: 0.5 * minute, perSecond: 3.1 },
  { durationMs: 1 * hour, perSecond: 0.265 },
  { durationMs: 2 * hour - 0.5 * minute, perSecond: 0 },
];

/** Tuesday afternoon; a week begins on Monday at midnight. Somebody looks on Thursday morning. */
const tuesday = 24 * hour + 15 * hour;
const thursday = 3 * 24 * hour + 8 * hour;
const fourOf = (kind: string, at: number) =>
  [0, 1, 2, 3].map((place) => ({ kind, at: at + place * 10 * minute }));

const world: Omit<Scenario, 'says' | 'documents' | 'arrivals'> = {
  stopAt: null,
  kinds: claims,
  planted: [],
  policy: bounded,
  slots: { kind: 'lanes', first: 14, repair: 8 },
  repairBudget: { share: 0.4, floor: 10, windowMs: 5 * minute },
  incidents: [],
  batchTokens: null,
  lineMs: hour,
};

const flat = (perSecond: number) => ({ kind: 'random' as const, phases: [{ durationMs: hour, perSecond }] });

/** At month-end 81 of a hundred invoices pass at once, 14 on the second attempt, and 5 never: 61 % of those are cut off. */
const invoice = (name: string, weight: number, medianMs: number, over: Partial<DocumentKind>) => ({
  name,
  weight,
  medianMs: [medianMs],
  pass: [0],
  inputTokens: 1_800,
  outputTokens: 450,
  fails: only('schema'),
  spread: 0.1,
  answers: ['new'] as const,
  templateShare: 0,
  ...over,
});
const invoices: readonly DocumentKind[] = [
  invoice('ordinary', 810, 1_200, { pass: [1] }),
  invoice('second attempt', 140, 3_100, { pass: [0, 1] }),
  invoice('too long', 30.5, 3_100, { outputTokens: 9_000 }),
  invoice('refused', 11, 3_100, { fails: only('refusal') }),
  invoice('never right', 8.5, 3_100, { fails: [...only('schema'), ...only('parse')] }),
];

const weekOne: Scenario = {
  ...world,
  says: 'claims until Thursday morning without bounds: twelve workers, each with one document to its end',
  documents: 28_000,
  arrivals: { kind: 'random', phases: claimPhases },
  stopAt: thursday,
  planted: fourOf('hopeless', tuesday),
  policy: unbounded,
  slots: { kind: 'pool', pool: 12 },
  repairBudget: null,
};

/** Ready-made worlds. */
export const scenarios = {
  'week-one-uncapped': weekOne,
  'week-one-capped': {
    ...weekOne,
    says: 'the same documents with a cap of three, a deadline and lanes',
    planted: fourOf('contradicting', tuesday),
    policy: bounded,
    slots: world.slots,
    repairBudget: world.repairBudget,
  },
  'month-end': {
    ...world,
    says: 'invoices at 70 a second, a fifth of which fail at first; lanes of 113 and 72',
    documents: 40_000,
    arrivals: flat(70),
    kinds: invoices,
    slots: { kind: 'lanes', first: 113, repair: 72 },
    repairBudget: { share: 0.3, floor: 10, windowMs: 5 * minute },
    lineMs: minute,
  },
  'bad-deploy': {
    ...world,
    says: 'a prompt that makes every reply wrong, for ten minutes of half an hour',
    documents: 3_600,
    arrivals: flat(2),
    incidents: [{ kind: 'bad_prompt', from: 10 * minute, to: 20 * minute }],
    repairBudget: { share: 0.4, floor: 10, windowMs: 5 * minute },
    lineMs: 5 * minute,
  },
  outage: {
    ...world,
    says: 'a provider that answers no call for five minutes of half an hour',
    documents: 3_600,
    arrivals: flat(2),
    incidents: [{ kind: 'outage', from: 10 * minute, to: 15 * minute }],
    lineMs: 5 * minute,
  },
  'four-hung': {
    ...weekOne,
    says: 'four documents without an answer that would pass, no bounds, twelve workers',
    documents: 4_000,
    arrivals: flat(0.5),
    stopAt: 3 * hour,
    planted: fourOf('hopeless', 0),
    lineMs: 10 * minute,
  },
  'batch-over-budget': {
    ...world,
    says: '4,000 claims with 21.3 million tokens, which are too few for three attempts each',
    documents: 4_000,
    arrivals: { kind: 'window', inFlight: 50 },
    policy: { ...bounded, deadlineMs: 30 * minute, repairLaneWaitMs: 20 * minute },
    batchTokens: 21_300_000,
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
