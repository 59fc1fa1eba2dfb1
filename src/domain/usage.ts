import type { Money } from './money.js';

/** Tokens the provider counted for one or more calls. Input includes cache writes and cache reads. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly thinkingTokens: number;
}

/**
 * What calls cost. Where the provider reported nothing, `tokens` and `cost` hold the upper estimate
 * (input estimate + max_tokens) and `known` is false: spending is never counted as zero.
 */
export interface Spending {
  readonly tokens: number;
  readonly cost: Money;
  readonly known: boolean;
}
