import { NotFoundError } from '@anthropic-ai/sdk';
import type { RequestMode } from '../../domain/request-mode.js';
import { CallFault } from '../../ports/extractor.js';
import { type AnthropicOptions, createAnthropicClient } from './client.js';
import { faultOf } from './faults.js';
import { findModel, type Model, unknownModel } from './models.js';

/** How a spec uses a model. */
export interface ModelUse {
  readonly model: string;
  /** Null: the model's default mode. */
  readonly mode: RequestMode | null;
  /** The highest token ceiling it is called with. */
  readonly maxTokens: number;
}

export interface CapabilityFinding {
  /** An error means that calls would be refused; a warning, that something could not be checked or will end. */
  readonly severity: 'error' | 'warning';
  readonly model: string;
  /** One sentence: what is wrong and what to do. */
  readonly message: string;
}

type Note = (severity: CapabilityFinding['severity'], message: string) => void;
type Members = { readonly [key: string]: unknown };

const checkTimeoutMs = 5_000;

/**
 * Compares the model table with what the provider says of the models in use, at boot: does the model exist for this
 * key, is it still served, does it have the mode, the effort and the output length it will be asked for? Never throws: a
 * server without a models endpoint, or none that answers, yields warnings, so that an outage does not stop a start.
 */
export async function checkCapabilities(
  options: AnthropicOptions,
  uses: readonly ModelUse[],
): Promise<readonly CapabilityFinding[]> {
  const findings = new Map<string, CapabilityFinding>();
  await Promise.all(
    [...new Set(uses.map((use) => use.model))].map(async (id) => {
      const note: Note = (severity, message) => findings.set(message, { severity, model: id, message });
      const model = findModel(id);
      if (model === null) {
        note('error', unknownModel(id));
        return;
      }
      const info = await retrieve(options, id, note);
      if (info !== null) compareModel(model, info, note);
      for (const use of uses) if (use.model === id) compareUse(use, model, info, note);
    }),
  );
  return [...findings.values()];
}

/** What the provider says of a model; null, and noted, when it says nothing. */
async function retrieve(options: AnthropicOptions, id: string, note: Note): Promise<Members | null> {
  const signal = AbortSignal.timeout(checkTimeoutMs);
  try {
    const info: unknown = await createAnthropicClient(options).models.retrieve(id, null, { signal });
    if (isMembers(info) && info['id'] !== undefined) return info;
    note('warning', `Model "${id}" was not checked: the server does not describe its models.`);
  } catch (error) {
    noteFault(id, signal.aborted ? 'timeout' : error, note);
  }
  return null;
}

/** A model or key the provider refuses is an error; a server that cannot say is not. */
function noteFault(id: string, error: unknown, note: Note): void {
  const fault = faultOf(error, Date.now());
  if (error instanceof NotFoundError && error.type === 'not_found_error') {
    note('error', `The model API has no model "${id}" for this key; choose another model.`);
  } else if (fault instanceof CallFault) {
    const refused = ['unauthenticated', 'forbidden', 'payment_required'].includes(fault.faultClass);
    note(refused ? 'error' : 'warning', `Model "${id}" was not checked. ${fault.message}`);
  } else {
    note('warning', `Model "${id}" was not checked: the model API did not answer in time.`);
  }
}

function compareModel(model: Model, info: Members, note: Note): void {
  const lifecycle = info['lifecycle'];
  if (lifecycle === 'retired') note('error', `Model "${model.id}" is retired; choose another model.`);
  if (lifecycle === 'deprecated') {
    const day = /^\d{4}-\d{2}-\d{2}/.exec(String(info['retires_at']))?.[0];
    note(
      'warning',
      `Model "${model.id}" is deprecated${day === undefined ? '' : ` and retires on ${day}`}; plan a successor.`,
    );
  }
  if (model.lowEffort && supports(info, 'effort', 'low') === false) {
    note(
      'error',
      `Model "${model.id}" refuses the effort setting that this version sends; choose another model.`,
    );
  }
  for (const [capability, documents] of [
    ['pdf_input', 'PDF documents'],
    ['image_input', 'scanned images'],
  ] as const) {
    if (supports(info, capability) === false)
      note('warning', `Model "${model.id}" does not take ${documents}.`);
  }
  const context = info['max_input_tokens'];
  if (typeof context === 'number' && context < model.contextTokens) {
    note(
      'warning',
      `Model "${model.id}" takes ${context} input tokens, not ${model.contextTokens}: long documents may not fit.`,
    );
  }
}

function compareUse(use: ModelUse, model: Model, info: Members | null, note: Note): void {
  const mode = use.mode ?? model.defaultMode;
  const structured = info === null ? null : supports(info, 'structured_outputs');
  if (!model.modes.includes(mode) || (mode !== 'plain' && structured === false)) {
    note(
      'error',
      `Model "${model.id}" has no ${mode} mode; set the spec's mode to "plain" or choose another model.`,
    );
  }
  const stated = info?.['max_tokens'];
  const most = Math.min(
    model.maxOutputTokens,
    typeof stated === 'number' ? stated : Number.POSITIVE_INFINITY,
  );
  if (use.maxTokens > most) {
    note(
      'error',
      `Model "${model.id}" writes at most ${most} tokens; lower the spec's token ceiling of ${use.maxTokens}.`,
    );
  }
}

/** Whether a capability, or a level of it, is supported; null when the provider does not say. */
function supports(info: Members, capability: string, level?: string): boolean | null {
  const all = info['capabilities'];
  let entry = isMembers(all) ? all[capability] : undefined;
  if (level !== undefined) entry = isMembers(entry) ? entry[level] : undefined;
  const supported = isMembers(entry) ? entry['supported'] : undefined;
  return typeof supported === 'boolean' ? supported : null;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
