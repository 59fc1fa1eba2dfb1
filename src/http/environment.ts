import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Application } from '../application/application.js';
import type { Principal } from '../domain/principal.js';
import type { HistoryCodec } from '../ports/payload-codec.js';
import type { Watch } from '../ports/watch.js';

/** What the API works with. */
export interface HttpDeps {
  readonly app: Application;
  /** What ENDSTOP_API_KEY holds: the key with all roles. */
  readonly apiKey: string | null;
  /**
   * Requests without a key are answered as this machine's own, as long as there is no key: only where no other machine
   * can ask. Without it: when `apiKey` is null.
   */
  readonly keyless?: boolean;
  /** Tenant of submissions that name none. */
  readonly tenant: string;
  /** How many runs one bulk redrive keeps in flight. */
  readonly inFlight: number;
  /** Requests that one key may send in a minute; 0: as many as it likes. Without it: 6,000. */
  readonly perMinute?: number;
  /** Submissions that are being started at once; more are told to come back. Without it: 50. */
  readonly startsAtOnce?: number;
  /** Requests that are held open until a run ends; more are answered at once. Without it: 500. */
  readonly waitsAtOnce?: number;
  readonly logger: Logger;
  /** What /metrics shows, and traces that requests go on with; neither unless given. */
  readonly watch?: Watch;
  readonly version: string;
  /** What histories are encrypted with; absent or null when they are not. */
  readonly codec?: HistoryCodec | null;
  /** Base URL of the engine's UI, whose pages may ask for decoding. */
  readonly uiUrl?: string | null;
  /** Pages for people, mounted at `/console`; the API knows nothing else of them. None: it serves programs only. */
  readonly pages?: Hono;
}

/** Variables of one request. */
export interface HttpEnv {
  readonly Bindings: {
    /** The invocation that this request is, where the API is a function. */
    readonly lambdaContext?: { getRemainingTimeInMillis(): number };
  };
  readonly Variables: {
    requestId: string;
    /** Who asks; below /v1 and /codec only. */
    principal: Principal;
    /** The use cases as the principal may use them: of its own tenant. Below /v1 and /codec only. */
    app: Application;
    /** What a request changed, once that is known. */
    subject?: { readonly subject: string; readonly tenant: string | null };
  };
}
