import { Big } from 'big.js';
import type { Money } from '../../domain/money.js';
import type { Usage } from '../../domain/usage.js';
import { type Price, priceCurrency } from './prices.js';

// A strict constructor of its own: numbers are refused unless exact, and no other module's settings can reach it.
const Decimal = Big();
Decimal.strict = true;
const millionth = new Decimal('0.000001');

/**
 * Exact cost of a request: every token kind times its rate, added without rounding. `usage.inputTokens` is the whole
 * prompt, cache writes and reads included, and is what decides whether the long-prompt rates apply.
 */
export function costOf(usage: Usage, price: Price): Money {
  const long = price.longPrompt;
  const rate = long !== null && usage.inputTokens > long.abovePromptTokens ? long : price;
  const uncached = usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens;
  const input = tokens(uncached)
    .plus(tokens(usage.cacheWriteTokens).times(price.cacheWriteFactor))
    .plus(tokens(usage.cacheReadTokens).times(price.cacheReadFactor))
    .times(rate.input);
  const cost = input.plus(tokens(usage.outputTokens).times(rate.output)).times(millionth);
  return { amount: cost.toFixed(), currency: priceCurrency };
}

function tokens(count: number): Big {
  return new Decimal(String(count));
}
