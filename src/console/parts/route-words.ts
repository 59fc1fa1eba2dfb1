import type { RouteCondition } from '../../domain/route.js';
import { routeWord, type routeWords } from './marks.js';

/** A line of a routing table: "Fallback, if reason no_progress". */
export function routeLine(to: keyof typeof routeWords, when: RouteCondition): string {
  const conditions = conditionsOf(when);
  return conditions === '' ? routeWord(to) : `${routeWord(to)}, if ${conditions}`;
}

/** When a line of a routing table is taken, in words; nothing: always. */
export function conditionsOf(when: RouteCondition): string {
  const conditions = Object.entries(when).map(([name, value]) => {
    if (typeof value === 'boolean') return value ? conditionWord(name) : `no ${conditionWord(name)}`;
    if (Array.isArray(value)) return `${conditionWord(name)} ${value.join(', ')}`;
    if (typeof value === 'number') return `${value} ${conditionWord(name)} or more`;
    return `amount ${value.amount} ${value.currency} or more`;
  });
  return conditions.join(' and ');
}

export function conditionWord(name: string): string {
  const words: Readonly<Record<string, string>> = {
    reasons: 'reason',
    failureClasses: 'class',
    tenants: 'tenant',
    tags: 'tag',
    templateRecognised: 'template recognised',
    hasCandidate: 'whole candidate',
    pagesAtLeast: 'pages',
    amountAtLeast: 'amount',
  };
  return words[name] ?? name;
}
