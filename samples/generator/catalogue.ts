import { claimSamples } from './claim-samples.js';
import { invoiceSamples } from './invoice-samples.js';
import type { Sample } from './sample.js';

/** Every sample of a seed, in the order a reader would want to see them. */
export async function allSamples(seed: number): Promise<Sample[]> {
  return [...(await claimSamples(seed)), ...(await invoiceSamples(seed))];
}
