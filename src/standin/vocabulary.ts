/**
 * Ways in which business papers print the same thing. One line is one meaning; the first phrase is the plainest.
 * General knowledge of paperwork, of the kind a language model brings along: no schema and no document is known here.
 */
const MEANINGS = `
claim number | claim no | claim reference | claim file | loss number | schadennummer | file number | our reference
policy number | policy no | policy reference | contract number | certificate number | policy
claimant | claimant name | insured | name of insured | policyholder | assured | insured party | presented by
loss date | date of loss | incident date | date of incident | accident date | date of accident | damage date | date of damage | occurred on | event date | schadendatum
report date | date reported | reported on | notified on | date of notification
currency | currency code | ccy | währung | all amounts in | amounts in
total claimed | amount claimed | total amount claimed | total claim | claim total | claim amount | sum claimed | total of claim
deductible | policy deductible | excess | policy excess | retention | own share | franchise | selbstbehalt | less deductible
invoice number | invoice no | invoice reference | credit note number | credit note no | bill number | document number | rechnungsnummer | invoice | credit note
issue date | invoice date | date of issue | date of invoice | credit note date | document date | issued on | issued | rechnungsdatum | dated | date
due date | payment due | payment due date | due on | due by | pay by | payable by | date due | fällig am | zahlbar bis
seller | supplier | vendor | sold by | issued by | billed by | from | verkäufer | lieferant
buyer | customer | bill to | billed to | sold to | invoice to | client | käufer | kunde | to
description | item description | item | details | particulars | goods or service | article | bezeichnung | beschreibung | services | work done | position text
quantity | qty | units | pieces | pcs | menge | anzahl | number of units
unit price | price | price each | price per unit | unit cost | rate | each | einzelpreis | stückpreis
amount | line total | line amount | amount claimed | value | total | net amount | betrag | gesamt | claimed | sum
line count | number of lines | printed line count | lines | number of items | item count | items | number of positions | positions | anzahl positionen | lines printed
net total | subtotal | total net | net amount | total before tax | total excluding tax | total without tax | nettobetrag | zwischensumme | net
tax rate | vat rate | sales tax rate | gst rate | mwst satz | steuersatz
tax amount | tax | vat | vat amount | sales tax | gst | mwst | umsatzsteuer | consumption tax | value added tax
total | grand total | invoice total | total due | amount due | total payable | total amount | gross total | total including tax | balance due | gesamtbetrag | credit total | total credit
`;

/** Words that say nothing about which value a label stands for. */
const STOP_WORDS = new Set(
  'of the a an in for your our to and by on or per at as is are der die das'.split(' '),
);
const SAME_WORD = new Map(
  [
    ['number', 'no nr num ref reference id identifier nummer'],
    ['date', 'day datum dated'],
    ['claim', 'claimed claims'],
    ['total', 'totals'],
    ['tax', 'vat gst mwst'],
    ['quantity', 'qty menge anzahl'],
    ['loss', 'incident accident damage occurrence'],
    ['subtotal', 'sub-total'],
    ['item', 'items'],
    ['line', 'lines'],
    ['excluding', 'excl exclusive'],
    ['including', 'incl inclusive'],
    ['amount', 'amounts'],
  ].flatMap(([word, others]) => (others ?? '').split(' ').map((other) => [other, word ?? ''] as const)),
);

/** The same few labels and phrases are compared over and over. */
const SPLIT = new Map<string, readonly string[]>();
const SPLIT_KEPT = 20_000;

/** The telling words of a label: lower case, no punctuation, no brackets, no rate, one spelling for one meaning. */
export function words(label: string): readonly string[] {
  const known = SPLIT.get(label);
  if (known) return known;
  if (SPLIT.size > SPLIT_KEPT) SPLIT.clear();
  const split = splitWords(label);
  SPLIT.set(label, split);
  return split;
}

function splitWords(label: string): string[] {
  const isIdentifier = /^[a-z]+([A-Z][a-z\d]*)+$/.test(label);
  const bare = (isIdentifier ? label.replace(/([A-Z])/g, ' $1') : label)
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/sub[- ]total/g, 'subtotal')
    .replace(/-?\d+([.,]\d+)?\s*%/g, ' ')
    .replace(/#/g, ' number ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const telling = bare.split(' ').filter((word) => word !== '' && !STOP_WORDS.has(word));
  // A label of stop words only ("To", "From") keeps them.
  return (telling.length > 0 ? telling : bare.split(' ')).map((word) => SAME_WORD.get(word) ?? word);
}

const CLASSES: readonly (readonly string[])[] = MEANINGS.trim()
  .split('\n')
  .map((line) => line.split('|').map((phrase) => phrase.trim()));

/** The phrases that may stand beside a property's value: its own name and title first, then others for the same thing. */
export function phrasesFor(names: readonly string[]): string[] {
  const phrases = names.filter((name) => name !== '');
  for (const name of names) {
    const key = sorted(name);
    const known = CLASSES.find((phrasesOfClass) => sorted(phrasesOfClass[0] ?? '') === key);
    const looser = known ?? CLASSES.find((each) => each.some((phrase) => sorted(phrase) === key));
    phrases.push(...(looser ?? []));
  }
  return [...new Set(phrases)];
}

/** One spelling for phrases of the same words. */
const sorted = (phrase: string): string => [...words(phrase)].sort().join(' ');

/** From here on a label is taken to stand for a property. */
export const LIKELY = 0.75;

/**
 * How well a printed label fits a property's phrases: 1 = the same words, 0 = nothing shared. Later phrases count a
 * little less, so that "Invoice date" beats a bare "Date".
 */
export function likeness(label: string, phrases: readonly string[]): number {
  const seen = words(label);
  let best = 0;
  for (const [index, phrase] of phrases.entries()) {
    const wanted = words(phrase);
    const shared = wanted.filter((word) => seen.includes(word)).length;
    if (shared === 0) continue;
    best = Math.max(best, (2 * shared) / (seen.length + wanted.length) - index * 0.004);
  }
  return best;
}
