import { z } from 'zod';

const text = z.string({ error: 'must be a text' });
const object = (what: string) =>
  z.custom((value) => typeof value === 'object' && value !== null, { error: what });
const list = (what: string) => z.custom(Array.isArray, { error: what });
const fn = (what: string) => z.custom((value) => typeof value === 'function', { error: what });

/** Spec files run without a type checker, so what a type would refuse is refused here. */
const shape = z.strictObject(
  {
    id: text,
    title: text,
    schemaVersion: text,
    prompt: z.object({ version: text, text }, { error: 'must be { version, text }' }),
    fields: object('must be an object of field types'),
    constraints: list('must be a list of rules'),
    templates: list('must be a list of templates').optional(),
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
  if (issue.code === 'unrecognized_keys')
    return `"${issue.keys[0]}" is no part of a spec; its parts are ${Object.keys(shape.shape).join(', ')}.`;
  return `${issue.path.length === 0 ? 'it' : `"${issue.path.join('.')}"`} ${issue.message}.`;
}
