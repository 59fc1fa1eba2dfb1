import { createHash } from 'node:crypto';
import type { RunRef } from '../src/domain/extraction-input.js';
import { isSampled } from '../src/domain/sampling.js';
import type { AttemptCommit, StoredJson } from '../src/ports/attempt-store.js';
import type { Spec } from '../src/spec/spec.js';

/**
 * The question to a person about a record that verified, when its key is in the spec's sample; null otherwise. It needs
 * no workflow: no run waits for it and no clock runs for it, so it is only a row of the commit.
 */
export function sampleOf(spec: Spec, { key }: RunRef, record: StoredJson): AttemptCommit['sample'] {
  if (!isSampled(key, spec.sampleShare)) return null;
  const reviewId = createHash('sha256')
    .update(JSON.stringify(['sample', key]))
    .digest('hex');
  return { reviewId, amount: spec.amount(record) };
}
