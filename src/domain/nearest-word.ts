/** Of some words, the one that a misspelt word is nearest to. Null only where there is none. */
export function nearestWord(
  word: string,
  words: readonly string[],
): { readonly word: string; readonly isNear: boolean } | null {
  let best: { readonly word: string; readonly share: number } | null = null;
  for (const candidate of words) {
    const share = differenceOf(word.toLowerCase(), candidate.toLowerCase());
    if (best === null || share < best.share) best = { word: candidate, share };
  }
  return best === null ? null : { word: best.word, isNear: best.share <= 0.5 };
}

/** "; did you mean "isoDate"?" for a word that is near to one of these, else "; there is only ...". */
export function suggestion(word: string, words: readonly string[]): string {
  const nearest = nearestWord(word, words);
  if (nearest === null) return '.';
  return nearest.isNear ? `; did you mean "${nearest.word}"?` : `; there is ${words.join(', ')}.`;
}

/** Share of the longer word that differs, 0 to 1; a shortened word ("qty" of "quantity") counts as near. */
function differenceOf(word: string, other: string): number {
  const share = distance(word, other) / Math.max(word.length, other.length, 1);
  const isShortened = word.length >= 3 && word[0] === other[0] && isWithin(word, other);
  return isShortened ? Math.min(share, 0.5) : share;
}

function isWithin(word: string, other: string): boolean {
  let at = 0;
  for (const letter of other) if (letter === word[at]) at += 1;
  return at === word.length;
}

/** Letters to add, drop, change, or swap with their neighbour. */
function distance(word: string, other: string): number {
  let before: readonly number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= word.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = word[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (last[column] as number) + 1,
          (next[column - 1] as number) + 1,
          (last[column - 1] as number) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = next;
  }
  return last[other.length] as number;
}
