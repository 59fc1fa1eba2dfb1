import type { Logger } from 'pino';
import type { Application } from '../application/application.js';
import type { PageReader } from '../ports/page-reader.js';
import type { Visitor } from './visitor.js';

/** What the pages work with: the API's own parts, and whatever draws documents. */
export interface ConsoleDeps {
  readonly app: Application;
  readonly pages: PageReader;
  /** Null: no key is asked for, and only this machine may look. */
  readonly apiKey: string | null;
  /** How many runs one bulk redrive keeps in flight. */
  readonly inFlight: number;
  readonly logger: Logger;
  readonly version: string;
}

/** Variables of one request. */
export interface ConsoleEnv {
  readonly Variables: { requestId: string; visitor: Visitor };
}
