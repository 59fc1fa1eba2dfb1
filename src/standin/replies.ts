import type { ServerResponse } from 'node:http';
import { type ApiFault, faultBody } from './api-fault.js';
import type { JsonValue } from './json.js';
import { type MessageFacts, messageBody, messageEvents } from './wire.js';

const HTML = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>';

export function sendJson(response: ServerResponse, status: number, body: JsonValue): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  });
  response.end(text);
}

export function sendFault(
  response: ServerResponse,
  fault: ApiFault,
  requestId: string,
  retryAfterSeconds?: number,
): void {
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
  sendJson(response, fault.status, faultBody(fault, requestId));
}

export function sendHtml(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html', 'content-length': String(HTML.length) });
  response.end(HTML);
}

/** How a message is delivered: whole, or up to a point where something breaks. */
export type Delivery = 'whole' | 'stalled_body' | 'half_body' | 'stream_error';

/**
 * Sends a message as JSON or as server-sent events. A stalled body stays open until the caller leaves; a half body
 * ends with a closed connection.
 */
export function sendMessage(
  response: ServerResponse,
  facts: MessageFacts,
  streamed: boolean,
  delivery: Delivery,
): void {
  const text = streamed ? eventText(facts, delivery) : JSON.stringify(messageBody(facts));
  if (delivery === 'whole' || (delivery === 'stream_error' && streamed)) {
    response.writeHead(200, headersOf(streamed, text));
    response.end(text);
    return;
  }
  response.writeHead(200, headersOf(streamed, text));
  const half = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2));
  // A body that is not streamed cannot carry an error event: it breaks off instead.
  response.write(half, () => {
    if (delivery !== 'stalled_body') setTimeout(() => response.destroy(), 5);
  });
}

function headersOf(streamed: boolean, text: string): Record<string, string> {
  return streamed
    ? { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
    : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
}

function eventText(facts: MessageFacts, delivery: Delivery): string {
  const events = messageEvents(facts);
  const sent = delivery === 'stream_error' ? events.slice(0, Math.ceil(events.length / 2)) : events;
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  return [...sent, ...(delivery === 'stream_error' ? [error] : [])]
    .map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
