import type { Reason } from '../../domain/reason.js';
import type { RouteName } from '../../domain/route.js';
import type { VerificationStatus } from '../../ports/record-store.js';
import type {
  DeliveryState,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEventType,
} from '../../ports/webhook-store.js';
import { instant, instantOrNull } from './instant.js';

/** Who is told of what happens. Its secrets are in no view. */
export interface WebhookView {
  readonly id: string;
  /** Null: of everybody's documents. */
  readonly tenant: string | null;
  /** Without its query, which may hold a secret; null for the one that signs for URLs named by submissions. */
  readonly url: string | null;
  readonly state: 'active' | 'disabled' | 'removed';
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** Until then requests carry the signature of the secret before as well. */
  readonly rotatingUntil: string | null;
}

/** One event on its way to one URL, with every try so far. */
export interface DeliveryView {
  readonly id: string;
  readonly webhook: string;
  readonly url: string;
  /** What the receiver sees as `webhook-id`. */
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly at: string;
  readonly extractionId: string;
  readonly run: number;
  readonly tenant: string;
  readonly spec: string;
  readonly outcome: 'verified' | 'unverified';
  readonly reason: Reason | null;
  readonly route: RouteName | null;
  readonly verificationStatus: VerificationStatus | null;
  readonly state: DeliveryState;
  readonly dueAt: string | null;
  readonly endedAt: string | null;
  readonly tries: readonly {
    readonly at: string;
    readonly durationMs: number;
    readonly status: number | null;
    readonly error: string | null;
  }[];
}

export function viewWebhook(endpoint: WebhookEndpoint): WebhookView {
  return {
    id: endpoint.endpointId,
    tenant: endpoint.tenant,
    url: endpoint.url === null ? null : withoutQuery(endpoint.url),
    state: endpoint.state,
    createdAt: instant(endpoint.createdAt),
    endedAt: instantOrNull(endpoint.endedAt),
    rotatingUntil: instantOrNull(endpoint.rotatingUntil),
  };
}

export function viewDelivery({ event, ...delivery }: WebhookDelivery): DeliveryView {
  return {
    id: delivery.deliveryId,
    webhook: delivery.endpointId,
    url: withoutQuery(delivery.url),
    eventId: event.eventId,
    type: event.type,
    at: instant(event.at),
    extractionId: event.key,
    run: event.run,
    tenant: event.tenant,
    spec: event.specId,
    outcome: event.outcome,
    reason: event.reason,
    route: event.route,
    verificationStatus: event.verificationStatus,
    state: delivery.state,
    dueAt: instantOrNull(delivery.dueAt),
    endedAt: instantOrNull(delivery.endedAt),
    tries: delivery.tries.map((tried) => ({ ...tried, at: instant(tried.at) })),
  };
}

function withoutQuery(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : `${url.slice(0, query)}?…`;
}
