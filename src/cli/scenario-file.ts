import { ApplicationError } from '../application/application-error.js';
import { initialState } from '../domain/initial-state.js';
import { type Scenario, scenarioFault } from '../simulator/scenario.js';
import { type ScenarioName, scenarios } from '../simulator/scenarios.js';
import { isObject, readJsonObject } from './json-file.js';

/**
 * Reads a world from a JSON file: the fields of a scenario, put over the ready-made one that `from` names; `policy`
 * field by field. @throws ApplicationError `invalid_request` in one sentence naming the field
 */
export async function readScenario(path: string): Promise<Scenario> {
  const { from, policy = {}, ...fields } = await readJsonObject(path);
  const names = Object.keys(scenarios);
  if (typeof from !== 'string' || !names.includes(from)) {
    throw invalid(`"from" in ${path} must name a ready-made world: ${names.join(', ')}.`);
  }
  const base: Scenario = scenarios[from as ScenarioName];
  const misfit = misfitOf({ ...fields, policy }, shape, '');
  if (misfit !== null) throw invalid(`"${misfit}" in ${path} is not what a scenario has there.`);
  const changed = [...Object.keys(fields), ...Object.keys(policy as object).map((name) => `policy.${name}`)];
  // What the world says of itself may no longer be true.
  const says = changed.length === 0 ? base.says : `${from} with ${changed.join(', ')} of its own`;
  const scenario = {
    ...base,
    says,
    ...fields,
    policy: { ...base.policy, ...(policy as object) },
  } as Scenario;
  const fault = scenarioFault(scenario) ?? faultOfPolicy(scenario);
  if (fault !== null) throw invalid(`${path} cannot be simulated: ${fault}`);
  return scenario;
}

/** A world as a file that `readScenario` reads; routes, models and the money cap are those of the world it is `from`. */
export function scenarioText({ policy, ...world }: Scenario): string {
  const { attemptCap, deadlineMs, tokenCap, tokenCeilings, transport, repairLaneWaitMs, outage, estimateMs } =
    policy;
  const kept = {
    attemptCap,
    deadlineMs,
    tokenCap,
    tokenCeilings,
    transport,
    repairLaneWaitMs,
    outage,
    estimateMs,
  };
  return `${JSON.stringify({ from: 'month-end', ...world, policy: kept }, null, 2)}\n`;
}

function faultOfPolicy({ policy }: Scenario): string | null {
  try {
    initialState(policy, 0);
    return null;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** What may stand where: a kind of value, one of some words, a list of alike, an object of some fields, or one of several. */
type Shape =
  | 'number'
  | 'text'
  | 'null'
  | readonly string[]
  | { readonly list: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly all: boolean }
  | { readonly any: readonly Shape[] };

const record = (fields: Readonly<Record<string, Shape>>): Shape => ({ fields, all: true });
const orNull = (shape: Shape): Shape => ({ any: [shape, 'null'] });
const numbers: Shape = { list: 'number' };
const classes = ['truncated', 'refusal', 'parse', 'schema', 'constraint', 'empty', 'verifier_fault'];

const shape: Shape = {
  all: false,
  fields: {
    says: 'text',
    documents: 'number',
    arrivals: {
      any: [
        record({
          kind: ['random'],
          phases: { list: record({ durationMs: 'number', perSecond: 'number' }) },
        }),
        record({ kind: ['window'], inFlight: 'number' }),
      ],
    },
    stopAt: orNull('number'),
    kinds: {
      list: record({
        name: 'text',
        weight: 'number',
        pass: numbers,
        outputTokens: 'number',
        inputTokens: 'number',
        fails: { list: record({ failureClass: classes, weight: 'number' }) },
        medianMs: numbers,
        spread: 'number',
        answers: { list: ['new', 'same', 'alternating', 'contradicting', 'unrepairable'] },
        templateShare: 'number',
      }),
    },
    planted: { list: record({ kind: 'text', at: 'number' }) },
    slots: {
      any: [
        record({ kind: ['pool'], pool: 'number' }),
        record({ kind: ['lanes'], first: 'number', repair: 'number' }),
      ],
    },
    repairBudget: orNull(record({ share: 'number', floor: 'number', windowMs: 'number' })),
    incidents: { list: record({ kind: ['bad_prompt', 'outage'], from: 'number', to: 'number' }) },
    batchTokens: orNull('number'),
    lineMs: 'number',
    policy: {
      all: false,
      fields: {
        attemptCap: 'number',
        deadlineMs: 'number',
        tokenCap: 'number',
        tokenCeilings: numbers,
        transport: record({ maximumCalls: 'number', backoffTotalMs: 'number' }),
        repairLaneWaitMs: 'number',
        outage: record({ patienceMs: 'number', pauseMs: 'number' }),
        estimateMs: numbers,
      },
    },
  },
};

/** The path of the first value that does not fit, or null. */
function misfitOf(value: unknown, wanted: Shape, at: string): string | null {
  if (wanted === 'number') return typeof value === 'number' ? null : at;
  if (wanted === 'text') return typeof value === 'string' ? null : at;
  if (wanted === 'null') return value === null ? null : at;
  if ('list' in wanted) {
    if (!Array.isArray(value)) return at;
    return firstOf(value.map((each, index) => misfitOf(each, wanted.list, `${at}[${index}]`)));
  }
  if ('any' in wanted) return wanted.any.some((each) => misfitOf(value, each, at) === null) ? null : at;
  if ('fields' in wanted) {
    if (!isObject(value)) return at;
    const inside = (name: string) => (at === '' ? name : `${at}.${name}`);
    const missing = wanted.all ? Object.keys(wanted.fields).find((name) => !(name in value)) : undefined;
    if (missing !== undefined) return inside(missing);
    return firstOf(
      Object.entries(value).map(([name, each]) => {
        const field = Object.hasOwn(wanted.fields, name) ? wanted.fields[name] : undefined;
        return field === undefined ? inside(name) : misfitOf(each, field, inside(name));
      }),
    );
  }
  return typeof value === 'string' && wanted.includes(value) ? null : at;
}

function firstOf(found: readonly (string | null)[]): string | null {
  return found.find((each) => each !== null) ?? null;
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
