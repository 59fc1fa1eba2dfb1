import Anthropic from '@anthropic-ai/sdk';
import { judgeReply } from '../../activities/judge-reply.js';
import type { Spec } from '../../src/spec/spec.js';
import { renderFeedback } from '../../src/verification/feedback.js';
import { bodyOf, textOf } from './request-body.js';

export interface LoopEnd {
  readonly verified: boolean;
  readonly calls: number;
  readonly tokens: number;
}

/** What a reply came to, judged by the product's own rules, so that all contenders mean the same by "verified". */
export interface Judged {
  readonly accepted: boolean;
  readonly feedback: string | null;
  readonly tokens: number;
}

export type AskOnce = (text: string, feedback: string | null) => Promise<Judged>;

/** One call and its verdict, without anything around it. */
export function createAskOnce(baseURL: string, spec: Spec): AskOnce {
  const client = new Anthropic({ apiKey: 'bench', baseURL, maxRetries: 2, openTelemetry: false });
  return async (text, feedback) => {
    const message = await client.messages.create(bodyOf(spec, text, feedback), { timeout: 60_000 });
    const judged = verdictOf(spec, textOf(message), text, message.stop_reason ?? 'unknown');
    return { ...judged, tokens: tokensOf(message) };
  };
}

/** All tokens of an answer, as the product counts them: what came out of the provider's cache is input, too. */
export function tokensOf({ usage }: Anthropic.Message): number {
  const { cache_creation_input_tokens, cache_read_input_tokens, input_tokens, output_tokens } = usage;
  return (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0) + input_tokens + output_tokens;
}

/** The product's verdict on an answer, and what it would tell the model next. */
export function verdictOf(
  spec: Spec,
  answer: string,
  text: string,
  stopReason = 'end_turn',
): Omit<Judged, 'tokens'> {
  const reply = {
    stopReason,
    mode: 'constrained' as const,
    text: answer,
    requestId: null,
    usage: 'unknown' as const,
    spending: { tokens: 0, cost: { amount: '0', currency: 'USD' }, known: false },
  };
  const judged = judgeReply(spec, reply, { text: { pages: [text] }, previous: null });
  return { accepted: judged.result.kind === 'accepted', feedback: renderFeedback(judged.problems) };
}

/** The loop that everybody writes first: ask, check, tell the model what was wrong, at most `cap` times. */
export async function loop(ask: AskOnce, text: string, cap: number): Promise<LoopEnd> {
  let feedback: string | null = null;
  let tokens = 0;
  for (let calls = 1; ; calls += 1) {
    const judged = await ask(text, feedback);
    tokens += judged.tokens;
    if (judged.accepted || calls >= cap) return { verified: judged.accepted, calls, tokens };
    feedback = judged.feedback;
  }
}

/** Lets `width` callers through at once, the others in the order in which they came. */
export function semaphore(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = width;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
