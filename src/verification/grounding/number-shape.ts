/** Which character a document puts before decimals. */
export type DecimalMark = '.' | ',';

/** The digits of a printed number and what its separators say about themselves. */
export interface NumberShape {
  /** Digits before the decimal mark, without separators. */
  readonly whole: string;
  /** Digits behind it; null when there are none, or when `undecided` holds. */
  readonly fraction: string | null;
  /** One mark before three last digits: thousands or decimals, as the rest of the document has it. */
  readonly undecided: {
    readonly mark: DecimalMark;
    readonly whole: string;
    readonly fraction: string;
  } | null;
  /** The decimal mark this number gives away, and whether beyond doubt. */
  readonly vote: { readonly mark: DecimalMark; readonly strong: boolean } | null;
}

const groupsOfThree = /^\d{1,3}(?:\D\d{3})+$/;
/** 12,34,567: thousands, then pairs. */
const indianGroups = /^\d{1,2}(?:,\d{2})+,\d{3}$/;

const other = (mark: DecimalMark): DecimalMark => (mark === '.' ? ',' : '.');
const isMark = (character: string): character is DecimalMark => character === '.' || character === ',';
const bare = (digits: string) => digits.replace(/\D/g, '');

/**
 * Takes a printed number apart: digits with points, commas, apostrophes or blanks between them. `ending` is the mark
 * before a dash that stands for no decimals (`50.-`), if one was printed. Null when the separators make no number,
 * such as in `1.2.3`, or when leading zeros make it a code.
 */
export function shapeOf(printed: string, ending: DecimalMark | null): NumberShape | null {
  const shape = ending === null ? separated(printed) : withoutDecimals(printed, ending);
  return shape === null || /^0\d{2,}/.test(shape.whole) ? null : shape;
}

function withoutDecimals(printed: string, mark: DecimalMark): NumberShape | null {
  if (printed.includes(mark) || !isGrouped(printed)) return null;
  return { whole: bare(printed), fraction: null, undecided: null, vote: { mark, strong: true } };
}

function separated(printed: string): NumberShape | null {
  const marks = [...printed.replace(/\d/g, '')];
  const last = marks.at(-1);
  if (last === undefined) return { whole: printed, fraction: null, undecided: null, vote: null };
  const at = printed.lastIndexOf(last);
  const [head, tail] = [printed.slice(0, at), printed.slice(at + 1)];
  if (isMark(last) && marks.filter((mark) => mark === last).length === 1) {
    if (marks.length > 1) {
      if (!isGrouped(head)) return null;
      return { whole: bare(head), fraction: tail, undecided: null, vote: { mark: last, strong: true } };
    }
    return single(head, tail, last);
  }
  if (!isGrouped(printed)) return null;
  const vote = isMark(last) ? { mark: other(last), strong: true } : null;
  return { whole: bare(printed), fraction: null, undecided: null, vote };
}

/** One point or comma in all: decimals, unless three digits follow one to three that do not begin with 0. */
function single(head: string, tail: string, mark: DecimalMark): NumberShape {
  if (tail.length === 3 && /^[1-9]\d{0,2}$/.test(head)) {
    return {
      whole: head + tail,
      fraction: null,
      undecided: { mark, whole: head, fraction: tail },
      vote: null,
    };
  }
  return { whole: head, fraction: tail, undecided: null, vote: { mark, strong: false } };
}

/** Thousands, all with one separator, or digits alone. */
function isGrouped(digits: string): boolean {
  const separators = new Set(digits.replace(/\d/g, ''));
  if (separators.size === 0) return true;
  return separators.size === 1 && (groupsOfThree.test(digits) || indianGroups.test(digits));
}

/**
 * The decimal mark of a document, as its numbers vote: those beyond doubt decide alone, then the others. A draw, or
 * no vote, is null: undecided numbers are then read by what is usual.
 */
export function decimalMark(shapes: readonly NumberShape[]): DecimalMark | null {
  const votes = shapes.flatMap(({ vote }) => vote ?? []);
  return majority(votes.filter(({ strong }) => strong)) ?? majority(votes);
}

function majority(votes: readonly { readonly mark: DecimalMark }[]): DecimalMark | null {
  const points = votes.filter(({ mark }) => mark === '.').length;
  const commas = votes.length - points;
  if (points === commas) return null;
  return points > commas ? '.' : ',';
}
