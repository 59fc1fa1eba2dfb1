export interface DocumentStats {
  readonly requests: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface Stats {
  /** Requests to `POST /v1/messages`, counted when they arrive. */
  readonly requests: number;
  /** How they ended; those still in flight are not in here. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly outputTokens: number;
  /** By SHA-256 of the document's bytes. */
  readonly documents: Readonly<Record<string, DocumentStats>>;
}

interface Tally {
  requests: number;
  outcomes: Record<string, number>;
}

/** Counts what was asked of the stand-in since it started or was last reset. */
export class Counter {
  private total: Tally = { requests: 0, outcomes: {} };
  private documents = new Map<string, Tally>();
  private outputTokens = 0;
  private ended = 0;

  begin(): void {
    this.total.requests += 1;
  }

  /** Counts a request about a document and returns how many there were before. */
  meet(document: string): number {
    const tally = this.documents.get(document) ?? { requests: 0, outcomes: {} };
    this.documents.set(document, tally);
    tally.requests += 1;
    return tally.requests - 1;
  }

  end(outcome: string, documents: readonly string[], outputTokens = 0): void {
    this.ended += 1;
    this.outputTokens += outputTokens;
    const tallies = [this.total, ...documents.map((document) => this.documents.get(document))];
    for (const tally of tallies) if (tally) tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + 1;
  }

  snapshot(): Stats {
    return structuredClone({
      requests: this.total.requests,
      outcomes: this.total.outcomes,
      inFlight: this.total.requests - this.ended,
      outputTokens: this.outputTokens,
      documents: Object.fromEntries(this.documents),
    });
  }

  reset(): void {
    // Requests in flight stay counted, so that their end does not turn the count negative.
    const inFlight = this.total.requests - this.ended;
    this.total = { requests: inFlight, outcomes: {} };
    this.documents = new Map();
    this.outputTokens = 0;
    this.ended = 0;
  }
}
