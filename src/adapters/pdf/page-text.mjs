// Turns the pieces of text on a page into lines as a person reads them. Plain JavaScript: it runs in the PDF child.

/**
 * The text of a page: pieces that stand on one line, left to right, lines from the top. A PDF may draw a column of labels
 * first and its column of values after; what belongs together is what stands side by side. Text that is turned by a
 * quarter follows after the upright text, read as if the page were turned; text at any other angle comes last, as drawn.
 *
 * @param {readonly object[]} items text items as PDF.js gives them
 * @param {readonly number[]} viewport the page's transform to screen space, where y grows downwards
 * @returns {string}
 */
export function pageText(items, viewport) {
  const byQuarter = [[], [], [], []];
  const slanted = [];
  for (const item of items) {
    if (typeof item.str !== 'string' || item.str.trim() === '') continue;
    const [a, b, c, d, x, y] = multiply(viewport, item.transform);
    const turns = Math.atan2(b, a) / (Math.PI / 2);
    const quarter = (Math.round(turns) + 4) % 4;
    if (Math.abs(turns - Math.round(turns)) > 0.1) {
      slanted.push(item.str.trim());
      continue;
    }
    const along = turned(quarter, x, y);
    const width = item.width * Math.hypot(viewport[0], viewport[1]);
    byQuarter[quarter].push({
      text: item.str,
      rightToLeft: item.dir === 'rtl',
      start: along.x,
      end: along.x + width,
      baseline: along.y,
      size: Math.hypot(c, d) || 1,
    });
  }
  return [...byQuarter.flatMap(lines), ...slanted].join('\n');
}

/** The point as it would be had the page been turned so that the text stands upright. */
function turned(quarter, x, y) {
  switch (quarter) {
    case 1:
      return { x: y, y: -x };
    case 2:
      return { x: -x, y: -y };
    case 3:
      return { x: -y, y: x };
    default:
      return { x, y };
  }
}

/** Two pieces share a line when their baselines are closer than half the height of the smaller one. */
function lines(pieces) {
  const found = [];
  for (const piece of pieces.sort((one, other) => one.baseline - other.baseline)) {
    const line = found.at(-1);
    const near = line !== undefined && piece.baseline - line.baseline < Math.min(piece.size, line.size) / 2;
    if (near) line.pieces.push(piece);
    else found.push({ baseline: piece.baseline, size: piece.size, pieces: [piece] });
  }
  return found.map((line) => lineText(line.pieces));
}

/** A gap under a fifth of the text's height is none; one of more than its height and a half separates columns. */
function lineText(pieces) {
  const ordered = inReadingOrder(pieces);
  let text = '';
  let end = ordered[0].start;
  for (const piece of ordered) {
    const gap = (piece.start - end) / piece.size;
    if (gap > 1.5) text = `${text.trimEnd()}  `;
    else if (gap > 0.2 && !text.endsWith(' ')) text += ' ';
    text += piece.text;
    end = Math.max(piece.end, end);
  }
  return text.trim();
}

/** Left to right, or mirrored for a line whose letters run mostly from right to left. */
function inReadingOrder(pieces) {
  const letters = (some) => some.reduce((sum, piece) => sum + piece.text.length, 0);
  const mirrored = letters(pieces.filter((piece) => piece.rightToLeft)) * 2 > letters(pieces);
  const placed = mirrored
    ? pieces.map((piece) => ({ ...piece, start: -piece.end, end: -piece.start }))
    : pieces;
  return placed.sort((one, other) => one.start - other.start);
}

function multiply([a, b, c, d, e, f], [g, h, i, j, k, l]) {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
