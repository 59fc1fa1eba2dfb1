import Anthropic from '@anthropic-ai/sdk';
import type { Spending, Usage } from '../../domain/usage.js';
import type { CallOptions, Extractor, ExtractorReply, ExtractorRequest } from '../../ports/extractor.js';
import { type AnthropicOptions, createAnthropicClient } from './client.js';
import { costOf } from './cost.js';
import { estimateUsage } from './estimate.js';
import { faultOf, lostCall, requestIdOf, stalledMessage } from './faults.js';
import { chooseModel, type Model } from './models.js';
import { priceCurrency } from './prices.js';
import { type Answer, readMessage } from './reply.js';
import { messageBody } from './request.js';

/**
 * Claude, or any server that speaks its Messages API, as an Extractor. Each call is one request on the wire, with the
 * SDK's own retries off. Its time limit covers the body as well as the headers.
 *
 * `call` throws a CallFault for whatever is not a complete message; when `options.signal` aborts, it throws the
 * signal's reason instead, so that a caller's cancellation is never counted against the provider.
 */
export function createAnthropicExtractor(
  options: AnthropicOptions & {
    /** What the server is called in everything that is stored and shown. */
    readonly provider: string;
    readonly now?: () => number;
  },
): Extractor {
  const client = createAnthropicClient(options);
  const now = options.now ?? Date.now;
  return {
    provider: options.provider,
    zeroCost: { amount: '0', currency: priceCurrency },

    estimate(request: ExtractorRequest): Spending {
      return spending(estimateUsage(request), chooseModel(request.model, request.mode).model, false);
    },

    async call(request: ExtractorRequest, { signal, timeoutMs }: CallOptions): Promise<ExtractorReply> {
      signal.throwIfAborted();
      const { model, mode } = chooseModel(request.model, request.mode);
      const body = messageBody(request, model, mode);
      const answer = await ask(client, body, signal, timeoutMs, now);
      const { stopReason, text, usage } = readMessage(answer, mode, now());
      return {
        stopReason,
        mode,
        text,
        requestId: requestIdOf(answer.headers),
        usage,
        spending:
          usage === 'unknown' ? spending(estimateUsage(request), model, false) : spending(usage, model, true),
      };
    },
  };
}

function spending(usage: Usage, model: Model, known: boolean): Spending {
  return { tokens: usage.inputTokens + usage.outputTokens, cost: costOf(usage, model.price), known };
}

/** Sends one request and reads its whole answer within `timeoutMs`. */
async function ask(
  client: Anthropic,
  body: Anthropic.MessageCreateParamsNonStreaming,
  caller: AbortSignal,
  timeoutMs: number,
  now: () => number,
): Promise<Answer> {
  const limit = timeLimit(caller, timeoutMs);
  // What is lost after the headers came was answered, and so billed: the fault says so.
  let head: Response | null = null;
  try {
    head = await client.messages
      .create(body, { signal: limit.signal, timeout: limit.timeoutMs })
      .asResponse();
    return { status: head.status, headers: head.headers, text: await bodyText(head) };
  } catch (error) {
    if (caller.aborted) throw caller.reason;
    // An answer with an error status is known even when its body stalled.
    if (limit.expired() && !(error instanceof Anthropic.APIError && error.status !== undefined)) {
      throw lostCall('stalled', stalledMessage, head);
    }
    throw faultOf(error, now(), head);
  } finally {
    limit.clear();
  }
}

/**
 * One signal for the caller's abort and our own time limit that still tells the two apart, and leaves no listener
 * behind on a caller's long-lived signal.
 */
function timeLimit(caller: AbortSignal, requestedMs: number) {
  // Timers take whole milliseconds below 2^31.
  const timeoutMs = Math.min(Math.max(Math.ceil(requestedMs), 1), 2 ** 31 - 1);
  const controller = new AbortController();
  let expired = false;
  const onCaller = () => controller.abort();
  caller.addEventListener('abort', onCaller, { once: true });
  const timer = setTimeout(() => {
    expired = true;
    controller.abort();
  }, timeoutMs);
  return {
    signal: controller.signal,
    timeoutMs,
    expired: () => expired,
    clear: () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', onCaller);
    },
  };
}

/** The body as text. Bytes that are not UTF-8 are refused: replaced characters would be invented ones. */
async function bodyText(response: Response): Promise<string> {
  const bytes = await response.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw lostCall('bad_body', 'The model API answered 200 with a body that is not UTF-8.', response);
  }
}
