export interface PageRequest {
  readonly limit: number;
  /** Opaque; from the page before. */
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** The cursor is none, or belongs to another list: the caller's mistake. */
export class BadCursor extends Error {
  override readonly name = 'BadCursor';

  constructor() {
    super('This cursor is not one that this list gave out: start again without one.');
  }
}
