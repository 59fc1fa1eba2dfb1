import type { Reason } from '../domain/reason.js';
import type { RouteName } from '../domain/route.js';
import type { Page, PageRequest } from './page.js';
import type { VerificationStatus } from './record-store.js';

/**
 * What is announced. `extraction.verified` and `extraction.unverified`: a run ended; `extraction.routed`: the fallback
 * found nothing, so an unverified run went on to another place; `record.stored`: an unverified record was kept
 * (fallback, best effort); `review.decided`: a person decided.
 */
export const webhookEventTypes = [
  'extraction.verified',
  'extraction.unverified',
  'extraction.routed',
  'record.stored',
  'review.decided',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** One thing that happened, in references only. Written by the transaction in which it happened, once. */
export interface WebhookEvent {
  /** The same for every try and every endpoint, and the same again should the same thing be announced twice. */
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly at: number;
  readonly key: string;
  readonly run: number;
  readonly tenant: string;
  readonly specId: string;
  /** How the run ended; never changes afterwards. */
  readonly outcome: 'verified' | 'unverified';
  readonly reason: Reason | null;
  readonly route: RouteName | null;
  /** Status of the record this event is about, read from its row; null when there is none. */
  readonly verificationStatus: VerificationStatus | null;
}

/** Who is told. Its secrets are never read back: they leave the store with a delivery that is due, to sign it. */
export interface WebhookEndpoint {
  readonly endpointId: string;
  /** Whose events; null for everybody's. */
  readonly tenant: string | null;
  /** Null for the one that signs what goes to URLs named by submissions. */
  readonly url: string | null;
  /** `disabled`: it answered 410; `removed`: by an operator. Neither comes back. */
  readonly state: 'active' | 'disabled' | 'removed';
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** Until then deliveries also carry the signature of the secret before; null when one secret signs. */
  readonly rotatingUntil: number | null;
}

export interface NewWebhookEndpoint {
  readonly tenant: string | null;
  readonly url: string | null;
  readonly secret: string;
  readonly at: number;
}

/** One request that was made for a delivery. */
export interface WebhookTry {
  readonly at: number;
  readonly durationMs: number;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** One word for what went wrong; null when it was delivered. */
  readonly error: string | null;
}

/** `dropped`: its endpoint was disabled or removed before it was delivered. */
export const deliveryStates = ['pending', 'delivered', 'given_up', 'dropped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One event on its way to one URL. */
export interface WebhookDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly event: WebhookEvent;
  readonly state: DeliveryState;
  /** When it is tried next; null unless pending. While a worker holds it: when another one would take over. */
  readonly dueAt: number | null;
  readonly endedAt: number | null;
  /** The log, in order. A try whose worker was lost is not in it. */
  readonly tries: readonly WebhookTry[];
}

export interface DeliveryFilter {
  readonly tenant?: string;
  /** Only to this tenant's own endpoints, and to URLs that submissions named: never to one that hears of everybody. */
  readonly endpointsOf?: string;
  readonly endpointId?: string;
  readonly state?: DeliveryState;
  /** Given up, or still pending after a failure. */
  readonly failed?: true;
}

/** A delivery that a worker holds for the time of its lease. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly event: WebhookEvent;
  /** Of the tries of this delivery, counted from 1, lost ones included: what the worker holds the delivery by. */
  readonly number: number;
  /** Failures since it was first tried, or tried again at a person's request. */
  readonly failures: number;
  readonly firstTryAt: number;
  /** One, or two while they are rotated, the newest first. */
  readonly secrets: readonly string[];
}

export interface DeliveryClaim {
  readonly at: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** At most so many to one URL, so that a slow receiver leaves room for the others. */
  readonly perUrl: number;
  /** URLs that have had their share already. */
  readonly without: readonly string[];
}

/** What a try came to. `gone`: the receiver wants no more. */
export type DeliveryVerdict =
  | { readonly kind: 'delivered' | 'given_up' | 'gone' }
  | { readonly kind: 'retry'; readonly at: number };

export interface WebhookStore {
  /** Null when this tenant (or everybody) has an active endpoint with this URL. */
  add(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint | null>;
  /** `endpointId` may be a unique prefix of at least 8 characters. */
  find(endpointId: string, at: number): Promise<WebhookEndpoint | null>;
  /** Oldest first, removed ones left out. */
  list(filter: { readonly tenant?: string }, at: number): Promise<readonly WebhookEndpoint[]>;
  /**
   * Gives the endpoint a new secret; the one before signs too for `overlapMs`, older ones no more. False when it is not
   * active.
   */
  rotate(
    endpointId: string,
    secret: { readonly secret: string; readonly at: number; readonly overlapMs: number },
  ): Promise<boolean>;
  /** Forgets its secrets and drops what is pending. False when it was removed before. */
  remove(endpointId: string, at: number): Promise<boolean>;

  /**
   * From now on this URL is told of everything about this subject, under whichever versions and runs. The endpoint
   * without a URL signs: the tenant's own, else everybody's. False when there is none.
   */
  nameUrl(named: {
    readonly tenant: string;
    readonly subject: string;
    readonly url: string;
    readonly at: number;
  }): Promise<boolean>;

  /** Newest first. */
  deliveries(filter: DeliveryFilter, page: PageRequest): Promise<Page<WebhookDelivery>>;
  /** `deliveryId` may be a unique prefix of at least 8 characters. */
  delivery(deliveryId: string): Promise<WebhookDelivery | null>;
  /** Makes it due now, whatever became of it, with a day of patience ahead. False when its endpoint is not active. */
  resend(deliveryId: string, at: number): Promise<boolean>;

  /** Takes due deliveries of active endpoints; each goes to one of those who ask at once. */
  claim(claim: DeliveryClaim): Promise<readonly DueDelivery[]>;
  /**
   * Logs a try and carries out its verdict. A verdict of a lease that was lost counts only if it is `delivered`.
   * `gone` disables the endpoint and drops what is pending for it; of a URL named by submissions, that URL's.
   */
  settle(due: DueDelivery, tried: WebhookTry, verdict: DeliveryVerdict): Promise<void>;
  /** When the next delivery is due, URLs of `without` left aside; null when none is. */
  nextDueAt(without: readonly string[]): Promise<number | null>;
  /** Calls back when deliveries may have become due. Resolves at once; keeps trying while the database is away. */
  listen(onDue: () => void): { close(): Promise<void> };
  /** Drops what is pending for ended endpoints, and forgets events before `before` that are no longer on their way. */
  tidy(at: number, before: number): Promise<void>;
}
