import { allSamples } from '../../samples/generator/catalogue.js';
import type { Chance } from '../../samples/generator/chance.js';
import type { ModelRelay, Turn } from '../support/model-relay.js';
import { claimText } from '../support/papers.js';

/** One document as it is handed in. */
export interface Paper {
  readonly spec: 'claim' | 'invoice';
  readonly document: { readonly text: string } | { readonly base64: string; readonly mediaType: string };
}

/** One of each ending: verified, repaired, and exhausted by each route. */
const kinds = [
  'claim-letter-chf',
  'invoice-eur',
  'claim-carried-forward',
  'invoice-three-faults',
  'claim-does-not-add-up',
  'claim-refused',
  'claim-harbour-too-long',
  'claim-fax',
];

/** How long the model may take for one answer: a run is under way long enough to be hit anywhere. */
const latencies = [20, 150, 400] as const;

/** One document of each kind, different ones for each seed, with the answers of each as slow as `chance` has it. */
export async function papersOfEachKind(models: ModelRelay, seed: number, chance: Chance): Promise<Paper[]> {
  const samples = (await allSamples(seed)).filter(({ name }) => kinds.includes(name));
  return samples.map(({ spec, file, bytes }) => {
    const document = file.endsWith('.pdf')
      ? { base64: bytes.toString('base64'), mediaType: 'application/pdf' }
      : { text: bytes.toString('utf8') };
    const paper: Paper = { spec: spec as Paper['spec'], document };
    models.plan(nameOf(paper), [{ behaviour: { latencyMs: chance.one(latencies) } }]);
    return paper;
  });
}

/** A claim of its own whose calls meet these turns. */
export function plannedClaim(models: ModelRelay, turns: readonly Turn[]): Paper {
  const paper: Paper = { spec: 'claim', document: { text: claimText({}) } };
  models.plan(nameOf(paper), turns);
  return paper;
}

/** What the relay knows it by. */
export function nameOf({ document }: Paper): string {
  return 'text' in document ? document.text : document.base64;
}

/** The same wrong amount whatever the model is told: two attempts, then a person is asked. */
export const stubborn: Turn = { behaviour: { misread: 1, stubborn: 1 } };
/**
 * A call that is refused for good, and the run is parked. No outage: that would open the workers' breakers, which then
 * hold back the calls of every other fault as well.
 */
export const refused: Turn = { behaviour: { rateSpendLimit: 1 } };
export const fine: Turn = {};
