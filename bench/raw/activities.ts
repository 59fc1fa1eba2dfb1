import Anthropic from '@anthropic-ai/sdk';
import type { Spec } from '../../src/spec/spec.js';
import { bodyOf, textOf } from '../support/request-body.js';

export interface RawActivities {
  ask(text: string): Promise<string>;
}

/** The same call that the product makes for a first attempt, through the same SDK, and nothing around it. */
export function createAsk(baseURL: string, spec: Spec): RawActivities['ask'] {
  const client = new Anthropic({ apiKey: 'bench', baseURL, maxRetries: 0, openTelemetry: false });
  return async (text) => textOf(await client.messages.create(bodyOf(spec, text), { timeout: 60_000 }));
}
