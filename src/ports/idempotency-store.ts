/** Names a request that is carried out once, however often it is sent: the sender's own key, in the sender's scope. */
export interface RequestKey {
  readonly scope: string;
  readonly key: string;
}

export interface RequestClaim extends RequestKey {
  /** SHA-256 of what is asked. */
  readonly fingerprint: string;
  readonly at: number;
  /** Until then nobody else carries it out, unless it is answered or let go first. */
  readonly lockedUntil: number;
  /** What was claimed before this instant has lapsed: its key is free. */
  readonly lapsedBefore: number;
}

/** What a request led to: a run and how it was found, or a batch and the SHA-256 of the documents it was handed in with. */
export type RequestAnswer = RunAnswer | BatchAnswer;

export interface RunAnswer {
  readonly key: string;
  readonly run: number;
  readonly kind: 'opened' | 'running' | 'closed';
}

export interface BatchAnswer {
  readonly batch: string;
  readonly content: string;
}

/** `claimed`: carry it out; `answered`: it was; `busy`: somebody does; `differs`: the key was used for something else. */
export type Claimed =
  | { readonly kind: 'claimed' | 'busy' | 'differs' }
  | { readonly kind: 'answered'; readonly answer: RequestAnswer };

/** Answers are written by what carries requests out, with it in one transaction: `ExtractionStore.open`, `BatchStore.begin`. */
export interface IdempotencyStore {
  /** Exact under concurrency: one claimer of a key gets `claimed`. */
  claim(claim: RequestClaim): Promise<Claimed>;
  /** Lets a claim go that came to nothing; does nothing when it is answered or somebody else's. */
  release(claim: RequestKey & Pick<RequestClaim, 'lockedUntil'>): Promise<void>;
  /** Forgets what was claimed before this instant, some at a time; how many. */
  sweep(before: number): Promise<number>;
}
