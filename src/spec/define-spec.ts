import type { Money } from '../domain/money.js';
import { suggestion } from '../domain/nearest-word.js';
import type { Policy } from '../domain/policy.js';
import { policyFault } from '../domain/policy-fault.js';
import type { RepairBudget } from '../domain/repair-budget.js';
import type { RequestMode } from '../domain/request-mode.js';
import type { Constraint } from '../verification/constraint.js';
import { minorUnitsOf } from '../verification/currencies.js';
import { toDecimal } from '../verification/decimal-text.js';
import { defaultPolicy, defaultRepairBudget } from './default-policy.js';
import { shapeFault } from './definition-shape.js';
import { type Fields, type RecordOf, record } from './field.js';
import { makingFault, pointerFault } from './named-fields.js';
import { policyNamesFault } from './policy-names.js';
import { printedRules } from './printed-rules.js';
import { misreadName } from './probe-record.js';
import { rulesText } from './rules-text.js';
import type { Prompt, Spec } from './spec.js';
import { SpecError } from './spec-error.js';
import type { Template } from './template.js';
import { wireSchemaFault } from './wire-schema.js';

/** What a spec's author writes. Everything with a question mark has a default. */
export interface SpecDefinition<F extends Fields> {
  /** Lower case words joined by hyphens; stable for ever, it is part of every key. */
  readonly id: string;
  /** What a document of this kind is called: "Claim". */
  readonly title: string;
  readonly schemaVersion: string;
  readonly prompt: Prompt;
  readonly fields: F;
  /** What must be true beside the shape. That every value is printed in the document is added by itself. */
  readonly constraints: readonly Constraint<RecordOf<F>>[];
  readonly templates?: readonly Template[];
  readonly policy?: Partial<Policy>;
  readonly repairBudget?: RepairBudget;
  readonly mode?: RequestMode;
  /** May a record of a scan without a text layer verify? Left out: no. */
  readonly allowUngrounded?: boolean;
  /** Share of verified records, from 0 to 1, that a person is asked about too. Left out: none. */
  readonly sampleShare?: number;
  /** The amount that routing and the review queue order by. Asked of candidates too: what throws counts as none. */
  amount?(record: RecordOf<F>): Money | null;
  /** Records that satisfy every rule, for `endstop spec check`. */
  examples?(currency: string, minorUnits: number): readonly RecordOf<F>[];
}

const idPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const labelPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const namePattern = /^[a-z][a-z0-9_]*$/;

/**
 * Makes a spec from its definition.
 * @throws SpecError with one sentence when the definition cannot work: a bad id or label, two rules of one id, a
 * policy that would not end, or a schema that the provider would refuse.
 */
export function defineSpec<const F extends Fields>(definition: SpecDefinition<F>): Spec<RecordOf<F>> {
  const wrong = shapeFault(definition) ?? policyNamesFault(definition);
  if (wrong !== null) throw cannotBeUsed(definition, wrong);
  const policy: Policy = { ...defaultPolicy, ...definition.policy };
  const whole = record(definition.title, definition.fields);
  const constraints = [...definition.constraints, ...printedRules(definition.fields)];
  const spec: Spec<RecordOf<F>> = {
    id: definition.id,
    title: definition.title,
    schemaVersion: definition.schemaVersion,
    prompt: definition.prompt,
    fields: definition.fields,
    schema: whole.schema,
    jsonSchema: whole.json,
    constraints,
    templates: definition.templates ?? [],
    policy,
    repairBudget: definition.repairBudget ?? defaultRepairBudget,
    mode: definition.mode ?? null,
    allowUngrounded: definition.allowUngrounded ?? false,
    sampleShare: definition.sampleShare ?? 0,
    amount: (candidate) => amountOf(definition, candidate),
    examples: definition.examples?.bind(definition) ?? null,
    contents: {
      schema: JSON.stringify([whole.json, constraints.map(({ id, version }) => [id, version])]),
      rules: rulesText(definition.constraints, definition.fields),
      prompt: definition.prompt.text,
    },
  };
  const fault = definitionFault(spec) ?? amountFault(definition);
  if (fault !== null) throw cannotBeUsed(definition, fault);
  return spec;
}

function cannotBeUsed(definition: unknown, fault: string): SpecError {
  const { id } = (definition ?? {}) as { readonly id?: unknown };
  const name = typeof id === 'string' ? `The spec "${id}"` : 'A spec';
  return new SpecError(`${name} cannot be used: ${fault}`);
}

/** Routing asks for the amount of any candidate, whole or not, so a definition may stumble over it or find nonsense. */
function amountOf<F extends Fields>(definition: SpecDefinition<F>, candidate: RecordOf<F>): Money | null {
  try {
    const money = definition.amount?.(candidate) ?? null;
    return money !== null && toDecimal(money.amount) !== null && minorUnitsOf(money.currency) !== null
      ? money
      : null;
  } catch {
    return null;
  }
}

function definitionFault(spec: Spec): string | null {
  if (!idPattern.test(spec.id)) return 'its id must be lower case words joined by hyphens, such as "claim".';
  if (spec.title.trim() === '') return 'its title is empty.';
  if (!labelPattern.test(spec.schemaVersion)) return 'schemaVersion must be a short label such as "1".';
  if (!labelPattern.test(spec.prompt.version)) return 'prompt.version must be a short label such as "v7".';
  if (spec.prompt.text.trim() === '') return 'prompt.text is empty.';
  return (
    fieldsFault(spec.fields) ??
    constraintsFault(spec) ??
    policyFault(spec.policy) ??
    budgetFault(spec.repairBudget) ??
    sampleFault(spec) ??
    templatesFault(spec) ??
    routesFault(spec) ??
    wireSchemaFault(spec.jsonSchema)
  );
}

function fieldsFault(fields: Fields): string | null {
  const names = Object.keys(fields);
  if (names.length === 0) return 'it has no fields.';
  for (const [name, field] of Object.entries(fields)) {
    if (!namePattern.test(name))
      return `the field name "${name}" must be lower case words joined by underscores.`;
    if (field.title.trim() === '') return `the field "${name}" has no title.`;
    const fault = field.children === null ? null : fieldsFault(field.children);
    if (fault !== null) return fault;
  }
  return null;
}

function constraintsFault({ constraints, fields }: Spec): string | null {
  const ids = constraints.map(({ id }) => id);
  const unnamed = ids.find((id) => id.trim() === '' || id.startsWith('schema/'));
  if (unnamed !== undefined) return `a rule cannot have the id "${unnamed}"; ids of "schema/" are taken.`;
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return `two rules have the id "${twice}"; give each its own.`;
  for (const rule of constraints) {
    const fault = rule.made === undefined ? ownRuleFault(fields, rule) : makingFault(fields, rule);
    if (fault !== null) return fault;
  }
  return null;
}

/** A rule of the author's own is asked about a made-up record, to see which names it looks for. */
function ownRuleFault(fields: Fields, rule: Spec['constraints'][number]): string | null {
  const context = { text: null, previous: null };
  const name = `the rule "${rule.id}"`;
  let wanted: string | undefined;
  const misread =
    misreadName(fields, (record) => rule.check(record, context)) ??
    misreadName(fields, (record) => {
      wanted = rule.wanted?.(record, context)?.pointer;
    });
  if (misread !== null) return `${name} ${misread}`;
  const fault = wanted === undefined ? null : pointerFault(fields, wanted);
  return fault === null ? null : `${name} wants a value of ${fault}`;
}

function amountFault<F extends Fields>({ fields, amount }: SpecDefinition<F>): string | null {
  const misread = amount === undefined ? null : misreadName(fields, (record) => amount(record));
  return misread === null ? null : `amount ${misread}`;
}

function budgetFault({ share, floor, windowMs }: RepairBudget): string | null {
  if (!(share >= 0 && share <= 1)) return 'repairBudget.share must lie between 0 and 1.';
  if (!(Number.isSafeInteger(floor) && floor >= 0))
    return 'repairBudget.floor must be a whole number, 0 or more.';
  return windowMs > 0 && Number.isFinite(windowMs) ? null : 'repairBudget.windowMs must be more than 0.';
}

function sampleFault({ sampleShare }: Spec): string | null {
  return sampleShare >= 0 && sampleShare <= 1 ? null : 'sampleShare must lie between 0 and 1.';
}

/** A fallback says which template found it, and which fields. */
function templatesFault({ templates, fields }: Spec): string | null {
  const ids = templates.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return `two templates have the id "${twice}"; give each its own.`;
  for (const template of templates) {
    const unknown = template.fields.find((name) => !Object.hasOwn(fields, name));
    if (unknown !== undefined)
      return `its template "${template.id}" finds a field "${unknown}", which it does not have${suggestion(unknown, Object.keys(fields))}`;
  }
  return null;
}

function routesFault({ policy, templates }: Spec): string | null {
  if (templates.length > 0 || !policy.routes.some(({ to }) => to === 'fallback')) return null;
  return 'a route leads to "fallback", but it has no templates.';
}
