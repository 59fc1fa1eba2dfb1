/** What one million tokens cost, as decimal strings in US dollars. */
interface Rate {
  readonly input: string;
  readonly output: string;
}

/** Prices of one model. A cache write or read is the input price times its factor. */
export interface Price extends Rate {
  /** Writing to the five-minute cache, the only one requested here. */
  readonly cacheWriteFactor: string;
  readonly cacheReadFactor: string;
  /** Rates for the whole request once its prompt is longer than `abovePromptTokens`; null: one rate for all. */
  readonly longPrompt: (Rate & { readonly abovePromptTokens: number }) | null;
}

/**
 * List prices as published on the provider's model pages, platform.claude.com, read on the day below. A file and not
 * constants in code that uses them: when prices change, this table and its date change, and nothing else.
 */
export const pricesAsOf = '2026-11-30';
export const priceCurrency = 'USD';

const flat = (input: string, output: string, cacheReadFactor: string): Price => ({
  input,
  output,
  cacheWriteFactor: '1.25',
  cacheReadFactor,
  longPrompt: null,
});

export const prices = {
  'claude-haiku-5-5': {
    ...flat('0.10', '0.50', '0.1'),
    longPrompt: { abovePromptTokens: 100_000, input: '0.50', output: '2.50' },
  },
  'claude-sonnet-5-5': flat('2', '10', '0.05'),
  'claude-opus-5-5': flat('4', '20', '0.05'),
  'claude-fable-5-1': flat('10', '50', '0.1'),
  'claude-sonnet-5': flat('2', '10', '0.1'),
  'claude-opus-5': flat('5', '25', '0.1'),
  'claude-haiku-4-5': flat('1', '5', '0.1'),
} as const satisfies Readonly<Record<string, Price>>;
