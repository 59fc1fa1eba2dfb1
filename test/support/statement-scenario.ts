import type { Store } from '../../src/ports/store.js';
import {
  accepted,
  askAboutSample,
  askPerson,
  claim,
  decide,
  landing,
  newCall,
  openRun,
  rejected,
  sha,
  takeLetter,
} from '../contract/store/fixtures.js';

/** What a worker and an API do with a store in a day, one after the other: documents of a tenant nobody else has. */
export async function liveThrough(store: Store, tenant: string): Promise<void> {
  const bytes = Buffer.from(`a claim of ${tenant}`);
  const documentHash = await store.documents.put({ tenant, mediaType: 'text/plain', bytes, at: 1_000_000 });
  await store.specVersions.register(
    {
      specId: `claim-${tenant}`,
      schemaVersion: '1',
      schemaHash: sha('schema'),
      rulesHash: sha('rules'),
      promptVersion: 'v7',
      promptHash: sha('prompt'),
    },
    1_000_000,
  );
  const verified = await openRun(store, { tenant, documentHash });
  await store.attempts.beginCall(newCall(verified));
  await store.attempts.stored(verified, 1);
  await store.attempts.commit(rejected(verified));
  const budget = { share: 1, floor: 10, windowMs: 300_000 };
  await store.traffic.takePermit({ ref: verified, attempt: 2, budget, at: 1_000_500 });
  await store.attempts.commit(accepted(verified, {}, 2));
  await store.extractions.find(verified.key);
  await store.attempts.list(verified.key, 1);
  await store.attempts.calls(verified.key, 1);
  await store.records.ofKey(verified.key);

  const parked = await openRun(store, { tenant });
  await store.extractions.land(landing(parked));
  const again = await takeLetter(store, parked);
  await store.attempts.commit(accepted(again));

  const asked = await askPerson(store, { tenant });
  await claim(store, asked.subject);
  await decide(store, asked.subject, 'reject');
  const { id } = await askAboutSample(store, { tenant });
  await decide(store, id, 'approve');
}
