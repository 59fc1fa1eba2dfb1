import { z } from 'zod';
import { nearestWord } from '../domain/nearest-word.js';
import { isField } from './field.js';

/** Says what stands there instead of a text; of a number or a truth value, how it is written as one. */
const text = z.string({
  error: ({ input }) =>
    typeof input === 'number' || typeof input === 'boolean'
      ? `must be a text, not ${String(input)}: write '${String(input)}'`
      : `must be a text${input === undefined ? '; it is missing' : ''}`,
});
const object = (what: string) =>
  z.custom((value) => typeof value === 'object' && value !== null, {
    error: ({ input }) => `${what}${input === undefined ? '; it is missing' : ''}`,
  });
const list = (what: string) => z.custom(Array.isArray, { error: what });
const fn = (what: string) => z.custom((value) => typeof value === 'function', { error: what });

/** Spec files run without a type checker, so what a type would refuse is refused here. */
const isRule = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'check' in value &&
  typeof value.check === 'function';
const isTemplate = (value: unknown) => typeof value === 'object' && value !== null && 'recognises' in value;

const shape = z.strictObject(
  {
    id: text,
    title: text,
    schemaVersion: text,
    prompt: z.object({ version: text, text }, { error: 'must be { version, text }' }),
    fields: object('must be an object of field types').pipe(
      z.record(
        z.string(),
        z.custom(isField, { error: 'must be made by a field type, such as text("Name")' }),
      ),
    ),
    constraints: list('must be a list of rules').pipe(
      z.array(
        z.custom(isRule, {
          error: 'must be a rule: ready-made, or { id, version, says, repairable, check }',
        }),
      ),
    ),
    templates: list('must be a list of templates')
      .pipe(z.array(z.custom(isTemplate, { error: 'must be made by defineTemplate' })))
      .optional(),
    policy: object('must be an object').optional(),
    repairBudget: object('must be an object').optional(),
    mode: z.unknown().optional(),
    allowUngrounded: z.boolean({ error: 'must be true or false' }).optional(),
    sampleShare: z.number({ error: 'must be a number from 0 to 1' }).optional(),
    amount: fn('must be a function of the record').optional(),
    examples: fn('must be a function: (currency, minorUnits) => records').optional(),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object') },
);

/** What is wrong with the shape of a definition, in words after "The spec ... cannot be used:"; null when nothing is. */
export function shapeFault(definition: unknown): string | null {
  const parsed = shape.safeParse(definition);
  const issue = parsed.error?.issues[0];
  if (issue === undefined) return null;
  const misspelt = misspeltPart(definition);
  if (misspelt !== null) return misspelt;
  if (issue.code === 'unrecognized_keys')
    return `"${issue.keys[0]}" is no part of a spec; its parts are ${Object.keys(shape.shape).join(', ')}.`;
  return `${issue.path.length === 0 ? 'it' : `"${issue.path.join('.')}"`} ${issue.message}.`;
}

/** A misspelt part is both missing and one too many: said once, by the name that was meant. */
function misspeltPart(definition: unknown): string | null {
  if (typeof definition !== 'object' || definition === null) return null;
  const absent = Object.keys(shape.shape).filter((part) => !(part in definition));
  for (const name of Object.keys(definition)) {
    const meant = name in shape.shape ? null : nearestWord(name, absent);
    if (meant?.isNear) return `"${name}" is no part of a spec; did you mean "${meant.word}"?`;
  }
  return null;
}
