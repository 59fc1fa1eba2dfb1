import type { Logger } from 'pino';
import type { Application } from '../application/application.js';
import type { PageReader } from '../ports/page-reader.js';
import type { Visitor } from './visitor.js';

/** What the pages work with: the API's own parts, and whatever draws documents. */
export interface ConsoleDeps {
  readonly app: Application;
  readonly pages: PageReader;
  /** What ENDSTOP_API_KEY holds: the key with all roles. */
  readonly apiKey: string | null;
  /** Whoever is on this machine may look without a key, as long as there is none: only where no other machine can ask. */
  readonly keyless: boolean;
  /** How many runs one bulk redrive keeps in flight. */
  readonly inFlight: number;
  /** How often pages that are open are told whether something is new; every two seconds unless told. */
  readonly pulseMs?: number;
  readonly logger: Logger;
  readonly version: string;
}

/** Variables of one request. */
export interface ConsoleEnv {
  readonly Variables: {
    requestId: string;
    visitor: Visitor;
    /** Set when nothing was changed although the answer leads on. */
    refused?: true;
    /** How things stood when the page was asked for, as the pulse says it; null: not known at the moment. */
    news?: string | null;
    /** The use cases as the visitor may use them: of their own tenant. */
    app: Application;
  };
}
