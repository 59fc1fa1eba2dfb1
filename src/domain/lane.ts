/** A stream of calls with slots of its own. Attempt 1 runs in `first`, every later attempt in `repair`. */
export type Lane = 'first' | 'repair';
