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
  return placedText(items, viewport).text;
}

/**
 * The same text, with each of its pieces and the box that it is printed in, in units of the viewport.
 *
 * @returns {{ text: string, pieces: { start: number, end: number, x: number, y: number, width: number, height: number }[] }}
 */
export function placedText(items, viewport) {
  const byQuarter = [[], [], [], []];
  const slanted = [];
  for (const item of items) {
    if (typeof item.str !== 'string' || item.str.trim() === '') continue;
    const [a, b, c, d, x, y] = multiply(viewport, item.transform);
    const turns = Math.atan2(b, a) / (Math.PI / 2);
    const quarter = (Math.round(turns) + 4) % 4;
    const width = item.width * Math.hypot(viewport[0], viewport[1]);
    const box = boxOf([a, b, c, d, x, y], width);
    if (Math.abs(turns - Math.round(turns)) > 0.1) {
      const text = item.str.trim();
      slanted.push({ text, spans: [{ start: 0, end: text.length, box }] });
      continue;
    }
    const along = turned(quarter, x, y);
    byQuarter[quarter].push({
      text: item.str,
      rightToLeft: item.dir === 'rtl',
      start: along.x,
      end: along.x + width,
      baseline: along.y,
      size: Math.hypot(c, d) || 1,
      box,
    });
  }
  let at = 0;
  const pieces = [];
  const texts = [];
  for (const { text, spans } of [...byQuarter.flatMap(lines), ...slanted]) {
    for (const { start, end, box } of spans) pieces.push({ start: at + start, end: at + end, ...box });
    texts.push(text);
    at += text.length + 1;
  }
  return { text: texts.join('\n'), pieces };
}

/** How far letters reach below and above their baseline, in heights of the text. */
const below = 0.24;
const above = 0.86;

/** The upright box around a piece, whichever way it is turned. */
function boxOf([a, b, c, d, x, y], width) {
  const size = Math.hypot(a, b) || 1;
  const [dx, dy] = [(a / size) * width, (b / size) * width];
  const corners = [-below, above].flatMap((up) => [
    [x + c * up, y + d * up],
    [x + c * up + dx, y + d * up + dy],
  ]);
  const xs = corners.map(([left]) => left);
  const ys = corners.map(([, top]) => top);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
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
  const spans = [];
  for (const piece of ordered) {
    const gap = (piece.start - end) / piece.size;
    if (gap > 1.5) text = `${text.trimEnd()}  `;
    else if (gap > 0.2 && !text.endsWith(' ')) text += ' ';
    spans.push({ start: text.length, end: text.length + piece.text.length, box: piece.box });
    text += piece.text;
    end = Math.max(piece.end, end);
  }
  return trimmed(text, spans);
}

/** White space around a line is no part of it. What a piece loses by that, its span loses too. */
function trimmed(line, spans) {
  const text = line.trim();
  const lead = line.length - line.trimStart().length;
  const within = (offset) => Math.min(Math.max(offset - lead, 0), text.length);
  return {
    text,
    spans: spans.map(({ start, end, box }) => ({ start: within(start), end: within(end), box })),
  };
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
