import type { StackAddresses } from '../config.js';
import type { Crash } from './supervision.js';

/** What the children of a stack are built on. */
export interface StackBase {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  /** Only when Endstop runs the server itself. */
  readonly temporalUiUrl: string | undefined;
  /** Free ports for the API and the stand-in model. */
  readonly apiPort: number;
  readonly standinPort: number;
}

/** A process to start on top of Postgres and Temporal. It counts as ready when one of its two signs is seen. */
export interface ChildSpec {
  readonly name: string;
  /** What people call it: "the API". */
  readonly title: string;
  /** Program and arguments; `nodeCommand` builds one for a TypeScript entry. */
  readonly command: readonly string[];
  /** Added to the stack's environment, DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it can be reached; recorded in the stack file under its name. */
  readonly url?: string;
  /** Ready when a GET there answers 2xx. */
  readonly readyUrl?: string;
  /** Ready when a line of its log matches. */
  readonly readyLine?: RegExp;
  /** How long it may take to end by itself, 10 s unless given. */
  readonly stopGraceMs?: number;
}

export interface StackOptions {
  /** The state folder, `.endstop` of the project. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly namespace: string;
  /** What its processes are told: a stack that runs already is compared with it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The server that the workers call; null: the stand-in, which is one of the children. */
  readonly model: NonNullable<StackAddresses['model']> | null;
  /** Whether the API goes to a port that is free, instead of one that was asked for. */
  readonly choosesApiPort: boolean;
  /** Throws what would make the start useless; asked before anything is started. */
  checkFirst(): Promise<void>;
  migrate(databaseUrl: string): Promise<void>;
  registerSearchAttributes(address: string, namespace: string, signal: AbortSignal): Promise<void>;
  /** Groups of children, started one group after the other; those of one group start together. */
  children(base: StackBase): readonly (readonly ChildSpec[])[];
  /** Told of every process that ends by itself once the stack is up. */
  onCrash(crash: Crash): void;
  /** Ends a start under way. */
  readonly signal?: AbortSignal;
}

export interface Stack extends StackAddresses {
  /** True when it was running already: then `stop` leaves it alone. */
  readonly attached: boolean;
  /** Names of settings that differ from those a running stack was started with; it keeps its own. */
  readonly differing: readonly string[];
  /** The process that runs it. */
  readonly supervisorPid: number;
  stop(): Promise<void>;
}
