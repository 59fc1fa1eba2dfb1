export interface PageRequest {
  readonly limit: number;
  /** Opaque; from the page before. */
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}
