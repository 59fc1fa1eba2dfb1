import { attemptCases } from './store/attempts.js';
import { auditCases } from './store/audits.js';
import { batchCases } from './store/batches.js';
import { breakerCases } from './store/breakers.js';
import { deadLetterCases } from './store/dead-letters.js';
import { documentCases } from './store/documents.js';
import { durationCases } from './store/durations.js';
import { erasureCases } from './store/erasure.js';
import { evaluationTenantCases } from './store/evaluation-tenants.js';
import { evaluationCases } from './store/evaluations.js';
import { extractionCases } from './store/extractions.js';
import type { StoreUnderTest } from './store/fixtures.js';
import { foldCases } from './store/folds.js';
import { gaugeCases } from './store/gauges.js';
import { keyCases } from './store/keys.js';
import { landingCases } from './store/landing.js';
import { leaseCases } from './store/leases.js';
import { nameCases } from './store/names.js';
import { pageCases } from './store/pages.js';
import { recordStreamCases } from './store/record-stream.js';
import { recordCases } from './store/records.js';
import { reportCases } from './store/reports.js';
import { requestCases } from './store/requests.js';
import { retentionCases } from './store/retention.js';
import { reviewDecisionCases } from './store/review-decisions.js';
import { reviewCases } from './store/reviews.js';
import { sampleCases } from './store/samples.js';
import { stormCases } from './store/storm.js';
import { tenantCases } from './store/tenants.js';
import { trafficCases } from './store/traffic.js';
import { trailCases } from './store/trail.js';
import { webhookDeliveryCases } from './store/webhook-deliveries.js';
import { webhookEndpointCases } from './store/webhook-endpoints.js';
import { webhookEventCases } from './store/webhook-events.js';

/**
 * What every Store must do, told through its port alone. Call it inside a `describe`; `store` answers with the
 * store under test, whose zero cost is USD 0 and which holds nothing when the first case starts.
 */
export function storeContract(store: StoreUnderTest): void {
  documentCases(store);
  extractionCases(store);
  attemptCases(store);
  durationCases(store);
  landingCases(store);
  deadLetterCases(store);
  batchCases(store);
  recordCases(store);
  recordStreamCases(store);
  reviewCases(store);
  reviewDecisionCases(store);
  sampleCases(store);
  leaseCases(store);
  reportCases(store);
  foldCases(store);
  auditCases(store);
  evaluationCases(store);
  evaluationTenantCases(store);
  trafficCases(store);
  tenantCases(store);
  webhookEventCases(store);
  webhookEndpointCases(store);
  webhookDeliveryCases(store);
  keyCases(store);
  gaugeCases(store);
  breakerCases(store);
  requestCases(store);
  trailCases(store);
  erasureCases(store);
  retentionCases(store);
  nameCases(store);
  pageCases(store);
  stormCases(store);
}
