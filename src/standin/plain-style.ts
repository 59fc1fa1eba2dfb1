import type { Behaviour } from './behaviour.js';
import { pick, roll } from './dice.js';

/**
 * How a reply in plain mode is written down. A first answer may break its own JSON over a double quote in a text;
 * fences, prose and trailing commas leave the value whole. Once told about its last answer it writes cleanly.
 */
export function plainText(json: string, behaviour: Behaviour, document: string, isFirst: boolean): string {
  const falls = (rate: number, what: string): boolean => roll(behaviour.seed, document, what) < rate;
  if (!isFirst) return json;
  if (json.includes('\\"') && falls(behaviour.unescapedQuote, 'unescaped quote'))
    return json.replaceAll('\\"', '"');
  if (falls(behaviour.unparseable, 'unparseable')) return json.replaceAll('"', "'");
  if (!falls(behaviour.style, 'style')) return json;
  const dress = pick(STYLES, behaviour.seed, document, 'which style');
  return dress(json);
}

const STYLES: readonly ((json: string) => string)[] = [
  (json) => `\`\`\`json\n${json}\n\`\`\``,
  (json) => `Here is the data of the document:\n\n${json}`,
  (json) =>
    `Here is the data of the document:\n\n\`\`\`json\n${json}\n\`\`\`\n\nEvery value is taken from the page.`,
  (json) => `${json.slice(0, -1)},}`,
  (json) => `<think>The labels are clear and the amounts add up.</think>\n${json}`,
];
