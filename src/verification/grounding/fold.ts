/**
 * Characters that print the same thing, as one character each, so that offsets into the folded text are offsets into
 * the page. Dashes and minus signs, quotation marks and apostrophes, blanks that do not break (they group digits),
 * Arabic and full-width digits, their points and commas.
 */
const alike: readonly (readonly [to: string, from: string])[] = [
  ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d'],
  ["'", '\u2018\u2019\u201b\u02bc\u00b4`\uff07'],
  ['"', '\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02'],
  ['\u00a0', '\u2007\u2008\u2009\u202f'],
  [' ', '\u2000\u2001\u2002\u2003\u3000'],
  ['.', '\u066b\uff0e'],
  [',', '\u066c\uff0c'],
  [':', '\uff1a'],
  ['(', '\uff08'],
  [')', '\uff09'],
  ['%', '\u066a\uff05'],
  ['|', '\u2502'],
];

const digitZeros = [0x0660, 0x06f0, 0xff10];

const map: ReadonlyMap<string, string> = new Map([
  ...alike.flatMap(([to, from]) => [...from].map((character) => [character, to] as const)),
  ...digitZeros.flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit) => [String.fromCharCode(zero + digit), String(digit)] as const),
  ),
]);

const isPlain = /^[ -_a-~]*$/;
const foldable = new RegExp(`[${[...map.keys()].join('')}]`, 'g');

/** The page with one spelling for characters that print alike; as long as the page. */
export function fold(page: string): string {
  // The pattern is made of the map's keys, so the map has every character it finds.
  return page.replace(foldable, (character) => String(map.get(character)));
}

/** Folded, one letter case, composed: for comparing words. May be longer or shorter than the text. */
export function foldWord(text: string): string {
  // Most words are plain already, and composing is what costs.
  return (isPlain.test(text) ? text : fold(text.normalize('NFKC'))).toLowerCase();
}
