import type { PlanInput } from '../planner/plan-input.js';
import { planScenarios } from '../planner/scenarios.js';
import { oneOf } from './query.js';

/** One slider: what it is called, its range, and where it is. */
export interface Slider {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly value: number;
}

export type ScenarioName = keyof typeof planScenarios;
export const scenarioNames = Object.keys(planScenarios) as readonly ScenarioName[];

/** A plan to look at: ready-made numbers with those put over them that somebody moved. */
export interface PlanAsked {
  readonly scenario: ScenarioName;
  readonly input: PlanInput;
  readonly cap: number;
  readonly reviewers: number;
  readonly sliders: readonly Slider[];
}

/** Hours that one reviewer decides in on a day. */
export const hoursADay = 6;

/** Reads the sliders of an address; what is missing or out of range is as the scenario has it. */
export function readPlan(words: Readonly<Record<string, string | undefined>>): PlanAsked {
  const scenario = oneOf(words['scenario'], scenarioNames) ?? 'claims';
  const base = planScenarios[scenario];
  const isLarge = base.peakPerSecond > 20;
  const held = base.slots ?? { kind: 'pool' as const, pool: 10 };
  const slider = (
    name: string,
    label: string,
    unit: string,
    range: readonly [number, number, number],
    value: number,
  ): Slider => {
    const [least, most, step] = range;
    const asked = Number(words[name] ?? Number.NaN);
    return { name, label, unit, least, most, step, value: asked >= least && asked <= most ? asked : value };
  };
  const cap = slider('cap', 'Attempt cap', 'attempts', [1, base.attempts.length, 1], 3);
  const peak = slider(
    'peak',
    'At the peak',
    'documents a second',
    isLarge ? [1, 150, 1] : [0.1, 12, 0.1],
    base.peakPerSecond,
  );
  const day = slider(
    'day',
    'Documents',
    'a day',
    isLarge ? [10_000, 3_000_000, 10_000] : [100, 50_000, 100],
    base.documentsPerDay,
  );
  const first = slider(
    'first',
    'First lane',
    'slots',
    isLarge ? [1, 400, 1] : [1, 60, 1],
    held.kind === 'lanes' ? held.first : Math.round(held.pool * 0.75),
  );
  const repair = slider(
    'repair',
    'Repair lane',
    'slots',
    isLarge ? [1, 200, 1] : [1, 30, 1],
    held.kind === 'lanes' ? held.repair : Math.round(held.pool * 0.25),
  );
  const budget = slider(
    'budget',
    'Repair budget',
    '% of first calls',
    [1, 100, 1],
    (base.repairBudgetShare ?? 0.4) * 100,
  );
  const reviewers = slider(
    'reviewers',
    'Reviewers',
    'people',
    isLarge ? [1, 400, 1] : [1, 30, 1],
    isLarge ? 330 : 2,
  );
  const pace = slider('pace', 'Each decides', 'an hour', [5, 60, 1], base.reviewsPerHour);
  return {
    scenario,
    cap: cap.value,
    reviewers: reviewers.value,
    sliders: [cap, peak, day, first, repair, budget, reviewers, pace],
    input: {
      ...base,
      peakPerSecond: peak.value,
      documentsPerDay: day.value,
      slots: { kind: 'lanes', first: first.value, repair: repair.value },
      repairBudgetShare: budget.value / 100,
      reviewsPerHour: pace.value,
      limits: { ...base.limits, mostSlots: null },
    },
  };
}
