import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answer } from './answer.js';
import { type ApiFault, invalidRequest, tooLarge } from './api-fault.js';
import type { Behaviour } from './behaviour.js';
import { roll } from './dice.js';
import { readBody } from './http-body.js';
import { type JsonObject, member } from './json.js';
import { inputTokens, type PromptCache } from './prompt-cache.js';
import { type Delivery, sendFault, sendHtml, sendJson, sendMessage } from './replies.js';
import { type CheckedRequest, checkRequest } from './request-rules.js';
import { readDocuments, type SentDocument, UnreadableDocument } from './sent-document.js';
import type { Counter } from './stats.js';
import { type TransportFault, transportFault } from './transport-fault.js';

export interface Endpoint {
  readonly behaviour: Behaviour;
  readonly counter: Counter;
  readonly cache: PromptCache;
}

interface ReadRequest extends CheckedRequest {
  readonly documents: readonly SentDocument[];
  readonly tokens: number;
}

/** `POST /v1/messages/count_tokens` */
export async function countTokens(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  behaviour: Behaviour,
): Promise<void> {
  const read = await readRequest(request, behaviour, true);
  if ('fault' in read) sendFault(response, read.fault, requestId);
  else sendJson(response, 200, { input_tokens: read.tokens });
}

/** `POST /v1/messages` */
export async function createMessage(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  endpoint: Endpoint,
): Promise<void> {
  const { behaviour, counter } = endpoint;
  counter.begin();
  const left = new AbortController();
  let outcome = 'abandoned';
  let documents: string[] = [];
  let outputTokens = 0;
  response.on('close', () => {
    left.abort();
    counter.end(outcome, documents, outputTokens);
  });
  const read = await readRequest(request, behaviour, false);
  if ('fault' in read) {
    outcome = 'rejected';
    sendFault(response, read.fault, requestId);
    return;
  }
  documents = [...new Set(read.documents.map((document) => document.sha256))];
  const ordinals = documents.map((document) => counter.meet(document));
  const fault = transportFault(behaviour, documents.join('+'), Math.max(0, ...ordinals));
  if (fault && endsHere(fault)) {
    await wait(behaviour.latencyMs, undefined, { signal: left.signal });
    outcome = fault.outcome;
    breakOff(response, fault, requestId);
    return;
  }
  const ceiling = Number(member(read.body, 'max_tokens'));
  const context = behaviour.contextTokens || read.model.contextTokens;
  const said = answer(
    read.body,
    read.documents,
    { ceiling, contextLeft: context - read.tokens },
    behaviour,
    requestId,
  );
  const slow = fault?.kind === 'slow_headers' ? behaviour.slowMs : 0;
  await wait(behaviour.latencyMs + slow + said.outputTokens * behaviour.msPerToken, undefined, {
    signal: left.signal,
  });
  const delivery: Delivery = fault && fault.kind !== 'slow_headers' ? fault.kind : 'whole';
  outcome = delivery === 'whole' ? outcomeOf(said.stopReason, said.content.length) : delivery;
  outputTokens = said.outputTokens;
  const facts = {
    id: `msg_${requestId.slice(4)}`,
    model: read.model.id,
    answer: said,
    input: endpoint.cache.split(read.body, read.tokens, Date.now()),
    withUsage: roll(behaviour.seed, documents.join('+'), 'missing usage') >= behaviour.missingUsage,
  };
  sendMessage(response, facts, read.body['stream'] === true, delivery);
}

/** Word for the statistics; a delivery that broke off is counted as its fault. */
function outcomeOf(stopReason: string, blocks: number): string {
  if (stopReason === 'refusal') return 'refused';
  if (stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded') return 'truncated';
  return blocks === 0 ? 'empty' : 'answered';
}

type EndingFault = Extract<TransportFault, { kind: 'refused' | 'html' | 'reset' }>;

function endsHere(fault: TransportFault): fault is EndingFault {
  return fault.kind === 'refused' || fault.kind === 'html' || fault.kind === 'reset';
}

function breakOff(response: ServerResponse, fault: EndingFault, requestId: string): void {
  if (fault.kind === 'reset') response.socket?.resetAndDestroy();
  else if (fault.kind === 'html') sendHtml(response, fault.status);
  else sendFault(response, fault.fault, requestId, fault.retryAfterSeconds);
}

async function readRequest(
  request: IncomingMessage,
  behaviour: Behaviour,
  counting: boolean,
): Promise<ReadRequest | { readonly fault: ApiFault }> {
  const body = await readBody(request);
  if (body.kind === 'too_large') return { fault: tooLarge('Request exceeds the maximum size') };
  if (body.kind === 'malformed') return { fault: invalidRequest('The request body is not valid JSON.') };
  const result = checkRequest(body.value, counting);
  if ('fault' in result) return result;
  try {
    const documents = await readDocuments(result.checked.body);
    const tokens = tokensOf(result.checked.body, documents);
    const context = behaviour.contextTokens || result.checked.model.contextTokens;
    if (tokens >= context) {
      return { fault: invalidRequest(`prompt is too long: ${tokens} tokens > ${context} maximum`) };
    }
    return { ...result.checked, documents, tokens };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { fault: error.fault };
    throw error;
  }
}

function tokensOf(body: JsonObject, documents: readonly SentDocument[]): number {
  return inputTokens(
    body,
    documents.reduce((sum, document) => sum + document.tokens, 0),
  );
}
