// One page of a document: drawn when it comes near, forgotten when it is far, its evidence marked.

import { boxesOf, markText, piecesOf } from './document-marks.js';
import { drawPdfPage } from './document-pdf.js';

export function createSheet(pane, page, count, kind, src, state) {
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
      element.style.setProperty('--zoom', String(state.zoom));
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
        wait(
          kind === 'images'
            ? 'This picture cannot be drawn. Save the document from its extraction to look at it elsewhere.'
            : 'This page could not be drawn. Scroll away and back to try again, or look at it as text.',
        );
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
      if (data.text.trim() === '') wait('This page is a picture: it holds no text to read out or to mark.');
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
