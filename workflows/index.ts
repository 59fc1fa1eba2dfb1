/** Entry point of the workflow bundle: one export per workflow type. */
export { batch } from './batch.js';
export { bestEffort } from './best-effort.js';
export { extraction } from './extraction.js';
export { fallback } from './fallback.js';
export { humanReview } from './human-review.js';
export { reconcile } from './reconcile.js';
export { redrive } from './redrive.js';
export { sweepRetention } from './retention.js';
