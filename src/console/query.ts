/** Words of a query that are among those that are known; others are no filter. */
export function oneOf<Word extends string>(
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === text);
}

/** Text of a query without white space around it; nothing is no filter. */
export function textOf(text: string | undefined): string | undefined {
  const trimmed = (text ?? '').trim().slice(0, 200);
  return trimmed === '' ? undefined : trimmed;
}

const spans = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const;
export type Span = keyof typeof spans;

/** Stretches of time to look at, with their words. */
export const spanWords: Readonly<Record<Span, string>> = {
  '1h': 'last hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
};

export function spanOf(text: string | undefined): Span | undefined {
  return oneOf(text, Object.keys(spans) as Span[]);
}

/** An instant as addresses of ours say it (ISO 8601, UTC); anything else is no filter. */
export function instantOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return undefined;
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** When a stretch that ends now began. */
export function beganAt(span: Span, now: number): number {
  return now - spans[span];
}

/** The same address with some words of its query changed; undefined takes one away, and the cursor always goes. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams(
    Object.entries(query).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}
