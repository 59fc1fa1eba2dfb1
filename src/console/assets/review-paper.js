// The document beside the form: its pages, its size, and whether it is drawn or read as text.

import { createViewer } from './document.js';

const pane = document.getElementById('document');
const pageList = document.getElementById('page-list');

/** Null: there is nothing to show. */
export const viewer = createViewer(pane, { onPage: showPage });

function showPage(page) {
  document.getElementById('page-of').textContent =
    viewer.count > 1 ? `, page ${page} of ${viewer.count}` : '';
  for (const button of pageList.children) {
    const isCurrent = Number(button.value) === page;
    if (isCurrent) {
      button.setAttribute('aria-current', 'true');
      pageList.scrollLeft = button.offsetLeft - pageList.clientWidth / 2;
    } else button.removeAttribute('aria-current');
  }
}

if (viewer !== null) {
  if (viewer.count > 1) {
    pageList.append(
      ...Array.from({ length: viewer.count }, (_, index) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.value = String(index + 1);
        button.textContent = String(index + 1);
        button.setAttribute('aria-label', `Page ${index + 1}`);
        button.addEventListener('click', () => viewer.goTo(index + 1));
        return button;
      }),
    );
  }
  showPage(1);
  const zoom = document.getElementById('zoom');
  zoom.hidden = false;
  zoom.addEventListener('click', ({ target }) => {
    if (target.dataset.zoom === undefined) return;
    const is = viewer.zoomBy(Number(target.dataset.zoom));
    document.getElementById('zoom-is').textContent = `${Math.round(is * 100)} %`;
  });
  const asText = document.getElementById('as-text');
  asText.hidden = viewer.kind !== 'pdf';
  asText.addEventListener('click', () => {
    const isText = asText.getAttribute('aria-pressed') !== 'true';
    asText.setAttribute('aria-pressed', String(isText));
    viewer.asText(isText);
  });
}
