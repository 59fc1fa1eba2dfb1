import type Anthropic from '@anthropic-ai/sdk';
import { buildRequest } from '../../activities/request.js';
import { chooseModel } from '../../src/adapters/anthropic/models.js';
import { messageBody } from '../../src/adapters/anthropic/request.js';
import type { Spec } from '../../src/spec/spec.js';

/** The body that the product sends for a text document under this spec, for contenders that build a loop of their own. */
export function bodyOf(
  spec: Spec,
  text: string,
  feedback: string | null = null,
): Anthropic.MessageCreateParamsNonStreaming {
  const [wanted = ''] = spec.policy.models;
  const [maxTokens = 0] = spec.policy.tokenCeilings;
  const { model, mode } = chooseModel(wanted, spec.mode);
  const document = { mediaType: 'text/plain', bytes: Buffer.from(text) };
  const decision = {
    kind: 'attempt' as const,
    attempt: 1,
    lane: 'first' as const,
    model: wanted,
    maxTokens,
    feedback: { kind: 'none' as const },
    estimateMs: 0,
  };
  return messageBody(buildRequest(spec, decision, document, feedback), model, mode);
}

/** The text of an answer, as one string. */
export function textOf({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
