import type { Logger } from 'pino';
import type { Application } from '../application/application.js';

/** What the API works with. */
export interface HttpDeps {
  readonly app: Application;
  /** Null: no key is asked for, and only this machine may talk to it. */
  readonly apiKey: string | null;
  /** Tenant of submissions that name none. */
  readonly tenant: string;
  /** How many runs one bulk redrive keeps in flight. */
  readonly inFlight: number;
  readonly logger: Logger;
  readonly version: string;
}

/** Variables of one request. */
export interface HttpEnv {
  readonly Variables: { requestId: string };
}
