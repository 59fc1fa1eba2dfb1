/** One request to a receiver. */
export interface WebhookRequest {
  readonly url: string;
  /** The same for every try. */
  readonly eventId: string;
  readonly body: string;
  /** Each signs. They appear in no error and no log. */
  readonly secrets: readonly string[];
  readonly at: number;
}

/**
 * What became of it. Every answer with a status is an answer; its body is not read. Else one word:
 * `insecure_url`, `private_address`, `unknown_host`, `refused`, `unreachable`, `reset`, `tls`, `timeout`, `network`.
 */
export type WebhookAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly error: WebhookFault };

export type WebhookFault =
  | 'insecure_url'
  | 'private_address'
  | 'unknown_host'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'network';

export interface WebhookSender {
  /** Makes one request, follows no redirect, and ends by itself within its time limit. Never throws. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
}
