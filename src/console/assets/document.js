// Puts a document before its reader, page by page as they come into sight: a PDF page drawn as it looks, text as text,
// a scan as its picture. Evidence lies over it as boxes. Whatever a document says, it only ever becomes text or pixels.

/** Characters of one piece of a long text: what is out of sight is then not even laid out. */
const pieceLength = 6_000;

/**
 * @param {HTMLElement} pane
 * @param {{ onPage(page: number): void }} options
 */
export function createViewer(pane, { onPage }) {
  const { kind, src } = pane.dataset;
  const count = Number(pane.dataset.pages);
  const state = { marks: [], current: null, zoom: 1, asText: false, page: 1 };
  const sheets = [];
  if (!['pdf', 'text', 'images'].includes(kind)) return null;
  pane.replaceChildren();

  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = sheets[Number(target.dataset.page) - 1];
        if (sheet === undefined) continue;
        sheet.near = isIntersecting;
        if (isIntersecting) sheet.draw();
        else sheet.forget();
      }
    },
    { root: pane, rootMargin: '80% 0px' },
  );
  for (let page = 1; page <= count; page += 1) {
    const sheet = createSheet(pane, page, count, kind, src, state);
    sheets.push(sheet);
    pane.append(sheet.element);
    seen.observe(sheet.element);
  }

  let tick = 0;
  pane.addEventListener('scroll', () => {
    cancelAnimationFrame(tick);
    tick = requestAnimationFrame(() => {
      const middle = pane.getBoundingClientRect().top + pane.clientHeight / 3;
      const page = sheets.findIndex(({ element }) => element.getBoundingClientRect().bottom > middle) + 1;
      if (page > 0 && page !== state.page) {
        state.page = page;
        onPage(page);
      }
    });
  });

  const goTo = (page) => {
    const sheet = sheets[Math.min(Math.max(page, 1), count) - 1];
    if (sheet === undefined) return;
    pane.scrollTop += sheet.element.getBoundingClientRect().top - pane.getBoundingClientRect().top - 12;
  };

  return {
    count,
    kind,
    /** Evidence to show: `{ pointer, page, start, end, two }`. */
    show(marks) {
      state.marks = marks;
      for (const sheet of sheets) sheet.mark();
    },
    /** Outlines a field's evidence and brings it into sight; false when it has none. */
    async point(pointer, mayScroll = true) {
      state.current = pointer;
      for (const sheet of sheets) sheet.mark();
      const mark = state.marks.find((known) => known.pointer === pointer);
      const sheet = mark === undefined ? undefined : sheets[mark.page - 1];
      if (sheet === undefined) return false;
      if (!mayScroll) return true;
      const outline = sheet.element.querySelector('.this');
      if (outline === null) goTo(mark.page);
      await sheet.draw();
      if (state.current !== pointer) return true;
      const place = sheet.element.querySelector('.this');
      if (place !== null) reveal(pane, place);
      return true;
    },
    goTo,
    by: (pages) => goTo(state.page + pages),
    zoomBy(step) {
      state.zoom = step === 0 ? 1 : Math.min(3, Math.max(0.5, state.zoom + step * 0.25));
      for (const sheet of sheets) sheet.size();
      return state.zoom;
    },
    asText(isText) {
      state.asText = isText;
      for (const sheet of sheets) sheet.restart();
    },
  };
}

/** Scrolls the pane, never the window, and only when the place is not in sight already. */
function reveal(pane, place) {
  const frame = pane.getBoundingClientRect();
  const box = place.getBoundingClientRect();
  const isInSight = box.top > frame.top + 24 && box.bottom < frame.bottom - 24;
  if (!isInSight) pane.scrollTop += box.top - frame.top - frame.height / 3;
  if (box.left < frame.left || box.right > frame.right) pane.scrollLeft += box.left - frame.left - 40;
}

function createSheet(pane, page, count, kind, src, state) {
  const element = document.createElement('div');
  element.className = 'sheet';
  element.dataset.page = String(page);
  const number = document.createElement('span');
  number.className = 'number';
  number.textContent = `${page} of ${count}`;
  const content = document.createElement('div');
  const boxes = document.createElement('div');
  element.append(content, boxes, number);

  let told = null;
  const tell = () => {
    told ??= fetch(`${src}/pages/${page}`, { headers: { accept: 'application/json' } }).then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    });
    told.catch(() => {
      told = null;
    });
    return told;
  };
  const isText = () => kind === 'text' || (kind === 'pdf' && state.asText);
  let data = null;
  let drawn = null;
  let pieces = [];

  const sheet = {
    element,
    near: false,
    size() {
      element.style.width = state.zoom === 1 ? '' : `${state.zoom * 100}%`;
      element.classList.toggle('zoomed', state.zoom > 1);
      if (kind === 'pdf' && !state.asText && sheet.near && drawn !== null) sheet.restart();
    },
    restart() {
      drawn = null;
      if (sheet.near) sheet.draw();
      else content.replaceChildren();
    },
    draw() {
      drawn ??= drawPage().catch(() => {
        drawn = null;
        wait('This page could not be drawn. Scroll away and back to try again, or look at it as text.');
      });
      return drawn;
    },
    /** Pixels of pages far away are given back. */
    forget() {
      if (kind !== 'pdf' || state.asText || drawn === null) return;
      drawn = null;
      content.replaceChildren();
    },
    mark() {
      const own = state.marks.filter((mark) => mark.page === page);
      if (isText()) markText(pieces, own, state.current);
      else boxes.replaceChildren(...boxesOf(data, own, state.current));
    },
  };

  function wait(text) {
    const note = document.createElement('p');
    note.className = 'waits';
    note.textContent = text;
    content.replaceChildren(note);
  }

  async function drawPage() {
    if (kind === 'images') {
      const image = new Image();
      image.alt = `Page ${page} of ${count}`;
      image.src = `${src}/pages/${page}/image`;
      await image.decode();
      content.replaceChildren(image);
      return;
    }
    element.classList.toggle('text', isText());
    if (isText()) {
      data = await tell();
      element.style.aspectRatio = '';
      pieces = piecesOf(data.text);
      content.replaceChildren(...pieces.map(({ pre }) => pre));
      boxes.replaceChildren();
      sheet.mark();
      return;
    }
    const asked = tell().then((read) => {
      data = read;
      if (data.layout !== null) element.style.aspectRatio = `${data.layout.width} / ${data.layout.height}`;
      sheet.mark();
    });
    const canvas = await drawPdfPage(src, page, element.clientWidth || pane.clientWidth);
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `Page ${page} of ${count}; choose Text to read it`);
    if (state.asText) return;
    content.replaceChildren(canvas);
    await asked;
  }

  if (kind === 'pdf') element.style.aspectRatio = '595 / 842';
  return sheet;
}

let opened = null;

/** Opened once, when the first page comes into sight. Nothing in a PDF is run: no script, no form, no compiled function. */
function openPdf(src) {
  opened ??= (async () => {
    const library = new URL('./pdf.mjs', import.meta.url).href;
    const [pdfjs, answer] = await Promise.all([import(library), fetch(`${src}/document`)]);
    if (!answer.ok) throw new Error(String(answer.status));
    const data = new Uint8Array(await answer.arrayBuffer());
    return pdfjs.getDocument({ data, isEvalSupported: false, enableXfa: false, verbosity: 0 }).promise;
  })();
  opened.catch(() => {
    opened = null;
  });
  return opened;
}

let queue = Promise.resolve();

/** One after the other, so that the page in sight is not slowed down by those around it. */
function drawPdfPage(src, number, width) {
  const next = queue.then(async () => {
    const pdf = await openPdf(src);
    const page = await pdf.getPage(number);
    const { width: points } = page.getViewport({ scale: 1 });
    const pixels = Math.min(3_000, width * (window.devicePixelRatio || 1));
    const viewport = page.getViewport({ scale: pixels / points });
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise;
    page.cleanup();
    return canvas;
  });
  queue = next.catch(() => undefined);
  return next;
}

/** A box for each stretch of evidence, in parts of the page, so that it stays right at every size. */
function boxesOf(page, marks, current) {
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
function piecesOf(text) {
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
function markText(pieces, marks, current) {
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
