import type { Page, PageRequest } from './page.js';

/** One change that somebody asked for: references only, never a value. */
export interface TrailEntry {
  readonly id: number;
  /** Of an API key; `environment`, `local`, or `cli` for who works on the command line. */
  readonly keyId: string;
  readonly actor: string;
  /** The operation, as the API description names it. */
  readonly action: string;
  /** What was changed, by its id. */
  readonly subject: string;
  /** Null when it concerns no single tenant. */
  readonly tenant: string | null;
  readonly requestId: string | null;
  readonly at: number;
}

export interface TrailFilter {
  readonly tenant?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  /** From, and before. */
  readonly since?: number;
  readonly until?: number;
}

export interface TrailStore {
  /** Before the change, so that none goes without; answers with the entry's id. */
  add(entry: Omit<TrailEntry, 'id'>): Promise<number>;
  /** Says what was changed, and whose it is, once that is known. */
  settle(id: number, known: Pick<TrailEntry, 'subject' | 'tenant'>): Promise<void>;
  /** The change was refused: nothing happened. */
  drop(id: number): Promise<void>;
  /** Newest first. */
  list(filter: TrailFilter, page: PageRequest): Promise<Page<TrailEntry>>;
}
