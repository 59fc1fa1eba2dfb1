import type { Extraction } from '../ports/extraction-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { findExtraction } from './find-extraction.js';

/** `requested`: it stops when the call in flight ends; `ended`: it had ended before, and stays as it ended. */
export interface Cancelling {
  readonly kind: 'requested' | 'ended';
  readonly extraction: Extraction;
}

/** Asks a run to stop. Throws ApplicationError `not_found`, or `unavailable` when the row is open but nothing carries it. */
export async function cancelExtraction(app: Application, id: string): Promise<Cancelling> {
  const extraction = await findExtraction(app.store, id);
  if (extraction.state === 'closed') return { kind: 'ended', extraction };
  if (await app.engine.cancel(extraction.key)) return { kind: 'requested', extraction };
  const again = await findExtraction(app.store, extraction.key);
  if (again.state === 'closed') return { kind: 'ended', extraction: again };
  throw new ApplicationError(
    'unavailable',
    `Extraction ${extraction.key.slice(0, 12)} is open but the engine carries no run of it; ` +
      'submitting its document again starts it.',
  );
}
