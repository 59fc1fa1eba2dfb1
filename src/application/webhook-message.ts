import type { WebhookEvent } from '../ports/webhook-store.js';
import { instant } from './views/instant.js';

/**
 * The body of a delivery, the same for every try: references only, never a record or a text of the document. Whoever
 * wants more asks for the extraction, and sees then what is true then.
 */
export function webhookMessage(event: WebhookEvent): string {
  return JSON.stringify({
    type: event.type,
    timestamp: instant(event.at),
    data: {
      extractionId: event.key,
      run: event.run,
      tenant: event.tenant,
      spec: event.specId,
      outcome: event.outcome,
      reason: event.reason,
      route: event.route,
      verificationStatus: event.verificationStatus,
    },
  });
}
