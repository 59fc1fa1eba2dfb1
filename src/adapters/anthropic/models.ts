import type { RequestMode } from '../../domain/request-mode.js';
import { CallFault } from '../../ports/extractor.js';
import { type Price, prices } from './prices.js';

/** What one model can be asked, and within which limits. */
export interface Model {
  readonly id: string;
  readonly modes: readonly RequestMode[];
  readonly defaultMode: RequestMode;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** False: the provider answers 400 to a tool choice that names a tool, so the model is left to choose. */
  readonly forcedTool: boolean;
  /** Models before the effort setting refuse it. */
  readonly lowEffort: boolean;
  readonly price: Price;
}

const allModes: readonly RequestMode[] = ['constrained', 'tool', 'plain'];
const large = {
  modes: allModes,
  defaultMode: 'constrained',
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
} as const;

/**
 * The models this product knows, from the provider's model pages and the SDK's model list. `checkCapabilities` compares
 * the ones in use with what the provider says of them at boot.
 */
const table: { readonly [Id in keyof typeof prices]: Omit<Model, 'id' | 'price'> } = {
  'claude-haiku-5-5': { ...large, forcedTool: true, lowEffort: true },
  'claude-sonnet-5-5': { ...large, forcedTool: false, lowEffort: true },
  'claude-opus-5-5': { ...large, forcedTool: false, lowEffort: true },
  'claude-fable-5-1': { ...large, forcedTool: false, lowEffort: true },
  'claude-sonnet-5': { ...large, forcedTool: true, lowEffort: true },
  'claude-opus-5': { ...large, forcedTool: true, lowEffort: true },
  'claude-haiku-4-5': {
    ...large,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    forcedTool: true,
    lowEffort: false,
  },
};

/** The table's entry of a model, or null when this product does not know it. */
export function findModel(id: string): Model | null {
  if (!Object.hasOwn(table, id)) return null;
  const known = id as keyof typeof table;
  return { id, price: prices[known], ...table[known] };
}

/** One sentence for a model that is not in the table. */
export function unknownModel(id: string): string {
  const shown = /^[\w.:@/-]{1,80}$/.test(id) ? `"${id}"` : 'with that name';
  return `There is no model ${shown} in the price and mode table; use one of ${Object.keys(table).join(', ')}.`;
}

/**
 * The model and mode a request is sent with.
 * @throws CallFault (permanent, `unsupported`) for an unknown model or a mode the model does not have.
 */
export function chooseModel(
  id: string,
  wanted: RequestMode | null,
): { readonly model: Model; readonly mode: RequestMode } {
  const model = findModel(id);
  if (model === null) throw unsupported(unknownModel(id));
  const mode = wanted ?? model.defaultMode;
  if (!model.modes.includes(mode)) {
    throw unsupported(`Model "${id}" has no ${mode} mode; use one of ${model.modes.join(', ')}.`);
  }
  return { model, mode };
}

/** A request that can never be sent as asked. */
export function unsupported(message: string): CallFault {
  return new CallFault({
    kind: 'permanent',
    faultClass: 'unsupported',
    status: null,
    retryAfterMs: null,
    requestId: null,
    message,
  });
}
