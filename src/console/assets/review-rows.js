// The rows of lists: added, removed, numbered.

import { edited, form } from './review-desk.js';
import { fields, focusField } from './review-fields.js';

form.addEventListener('click', ({ target }) => {
  if (target.hasAttribute('data-add')) addRow(target.closest('.list'));
  else if (target.hasAttribute('data-remove')) removeRow(target.closest('tr'));
});

let added = 0;

export function addRow(list) {
  const body = list.querySelector('tbody');
  const row = list.querySelector('template').content.firstElementChild.cloneNode(true);
  added += 1;
  for (const element of [row, ...row.querySelectorAll('*')]) {
    for (const { name, value } of [...element.attributes]) {
      if (value.includes('/NEW/')) element.setAttribute(name, value.replace('/NEW/', `/new${added}/`));
    }
  }
  body.append(row);
  numberRows(list);
  focusField(row.querySelector('.f'));
  edited();
}

export function removeRow(row) {
  const list = row.closest('.list');
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  numberRows(list);
  const field = next?.querySelector('.f');
  if (field) focusField(field);
  else list.querySelector('[data-add]').focus();
  edited();
}

/** Numbers are for people; what is sent keeps the names it has and closes up in order. */
function numberRows(list) {
  const rows = [...list.querySelectorAll('tbody tr')];
  for (const [index, row] of rows.entries()) {
    row.querySelector('[data-number]').textContent = String(index + 1);
    row.querySelector('[data-remove]').setAttribute('aria-label', `Remove row ${index + 1}`);
  }
  list.querySelector('[data-count]').textContent = rows.length === 1 ? '1 row' : `${rows.length} rows`;
}

/** Pointers as the server sees them, which counts the rows that are there. */
export function serverPointers() {
  const byServer = new Map();
  for (const field of fields()) {
    const { pointer } = field.dataset;
    const row = field.closest('tbody tr');
    const list = field.closest('[data-list]');
    if (row === null || list === null) {
      byServer.set(pointer, field);
      continue;
    }
    const index = [...list.querySelectorAll('tbody tr')].indexOf(row);
    const name = pointer
      .slice(list.dataset.list.length + 1)
      .split('/')
      .slice(1)
      .join('/');
    byServer.set(`${list.dataset.list}/${index}/${name}`, field);
  }
  return byServer;
}
