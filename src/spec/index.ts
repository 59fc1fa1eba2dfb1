/** What authors of specs import: `import { defineSpec, money } from 'endstop'`. */
export type { Money } from '../domain/money.js';
export type { Policy } from '../domain/policy.js';
export type { RepairBudget } from '../domain/repair-budget.js';
export type { Route, RouteCondition } from '../domain/route.js';
export type { Computed, Constraint, Finding, VerifyContext, Wanted } from '../verification/constraint.js';
export { allowedCodes, dateOrder, signByDocumentType } from '../verification/constraints/codes-and-dates.js';
export { baseTimesRate, lineArithmetic } from '../verification/constraints/line-arithmetic.js';
export { fixedDecimals, minorUnits } from '../verification/constraints/minor-units.js';
export { printedInDocument } from '../verification/constraints/printed-in-document.js';
export { printedRowCount } from '../verification/constraints/row-count.js';
export { sumEqualsTotal } from '../verification/constraints/sum-equals-total.js';
export { currencyCodes, minorUnitsOf } from '../verification/currencies.js';
export { sameDecimal, toDecimal, toText } from '../verification/decimal-text.js';
export { expand, get } from '../verification/pointer.js';
export { defaultPolicy, defaultRepairBudget } from './default-policy.js';
export { defineSpec, type SpecDefinition } from './define-spec.js';
export { defineTemplate, type TemplateDefinition, type TemplateField } from './define-template.js';
export {
  asPrinted,
  choice,
  count,
  currencyCode,
  decimal,
  type Field,
  type Fields,
  identifier,
  isoDate,
  list,
  money,
  type NotThere,
  type Print,
  percent,
  type RecordOf,
  record,
  text,
} from './field.js';
export type { JsonSchema } from './json-schema.js';
export type { Prompt, Spec } from './spec.js';
export { SpecError } from './spec-error.js';
export type { Template } from './template.js';
