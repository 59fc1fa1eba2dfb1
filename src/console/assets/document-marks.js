// Evidence on a page: boxes over what is drawn, marks in what is text.

/** Characters of one piece of a long text: what is out of sight is then not even laid out. */
const pieceLength = 6_000;

/** A box for each stretch of evidence, in parts of the page, so that it stays right at every size. */
export function boxesOf(page, marks, current) {
  const layout = page?.layout ?? null;
  if (layout === null) return [];
  return marks.flatMap((mark) => {
    const cut = layout.pieces.flatMap((piece) => cutOf(piece, mark, page.text));
    return cut.map(({ x, y, width, height }) => {
      const box = document.createElement('div');
      box.className = classOf(mark, current);
      box.style.left = `${((x - 1.5) / layout.width) * 100}%`;
      box.style.top = `${(y / layout.height) * 100}%`;
      box.style.width = `${((width + 3) / layout.width) * 100}%`;
      box.style.height = `${(height / layout.height) * 100}%`;
      return box;
    });
  });
}

const ruler = document.createElement('canvas').getContext('2d');
ruler.font = '20px Liberation Sans, Arial, Helvetica, sans-serif';

/** The part of a piece that a mark covers. Letters are as wide to each other as in a common typeface: near enough to point. */
function cutOf(piece, { start, end }, text) {
  const from = Math.max(piece.start, start);
  const to = Math.min(piece.end, end);
  if (to <= from) return [];
  const widthOf = (begin, stop) => ruler.measureText(text.slice(begin, stop)).width;
  const whole = widthOf(piece.start, piece.end) || 1;
  const left = widthOf(piece.start, from) / whole;
  const right = widthOf(piece.start, to) / whole;
  const isTurned = piece.height > piece.width && piece.end - piece.start > 3;
  return [
    isTurned
      ? { ...piece, y: piece.y + piece.height * left, height: piece.height * (right - left) }
      : { ...piece, x: piece.x + piece.width * left, width: piece.width * (right - left) },
  ];
}

function classOf({ pointer, two }, current) {
  return `hl${two ? ' two' : ''}${pointer === current ? ' this' : ''}`;
}

/** A text in pieces that end at the ends of lines where there are any. */
export function piecesOf(text) {
  const pieces = [];
  for (let at = 0; at < text.length || pieces.length === 0; ) {
    const line = text.indexOf('\n', at + pieceLength);
    const end =
      line < 0 || line > at + 2 * pieceLength ? Math.min(text.length, at + 2 * pieceLength) : line + 1;
    const pre = document.createElement('pre');
    const own = text.slice(at, end);
    pre.textContent = own;
    pre.dir = 'auto';
    pieces.push({ pre, start: at, end, text: own, marked: false });
    if (end === at) break;
    at = end;
  }
  return pieces;
}

/** Cuts pieces of text where evidence begins and ends. Pieces without any are left as they are. */
export function markText(pieces, marks, current) {
  for (const piece of pieces) {
    const own = marks
      .filter(({ start, end }) => start < piece.end && end > piece.start)
      .sort((one, other) => one.start - other.start);
    if (own.length === 0 && !piece.marked) continue;
    piece.marked = own.length > 0;
    const parts = [];
    let at = 0;
    for (const mark of own) {
      const from = Math.max(at, mark.start - piece.start);
      const to = Math.min(piece.text.length, mark.end - piece.start);
      if (to <= from) {
        const same = parts.at(-1);
        if (mark.pointer === current && same instanceof HTMLElement) same.classList.add('this');
        continue;
      }
      const marked = document.createElement('mark');
      marked.className = classOf(mark, current);
      marked.textContent = piece.text.slice(from, to);
      parts.push(piece.text.slice(at, from), marked);
      at = to;
    }
    parts.push(piece.text.slice(at));
    piece.pre.replaceChildren(...parts);
  }
}
