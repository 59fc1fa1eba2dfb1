// Puts a document before its reader, page by page as they come into sight: a PDF page drawn as it looks, text as text,
// a scan as its picture. Evidence lies over it as boxes. Whatever a document says, it only ever becomes text or pixels.

import { createSheet } from './document-sheet.js';

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
