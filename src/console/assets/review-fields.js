// The fields of the form: which one is worked on, what it says, and where that stands in the document.

import { edited, form, isMine } from './review-desk.js';
import { viewer } from './review-paper.js';

export const fields = () => [...form.querySelectorAll('.f[data-pointer]:not(.head-row)')];
export const controlOf = (field) => field.querySelector('input, textarea, select.choice');

/** Lays the evidence of every field over the document. */
export function showPlaces() {
  const placed = fields().filter(({ dataset }) => dataset.page !== undefined);
  viewer?.show(
    placed.map(({ dataset: { pointer, page, start, end, two } }) => ({
      ...{ pointer, page: Number(page), start: Number(start), end: Number(end), two: two === 'yes' },
    })),
  );
}

/** The field that is worked on; null before there is one. */
export let current = null;

/** Makes a field the one that is worked on, and shows its place. */
export function enter(field, mayScroll = true) {
  if (current === field) return;
  current?.classList.remove('at');
  current = field;
  field.classList.add('at');
  viewer?.point(field.dataset.pointer, mayScroll);
}

form.addEventListener('focusin', ({ target }) => {
  const field = target.closest('.f[data-pointer]');
  if (field !== null) enter(field);
});
// Fields of a review that cannot be edited hold no focus, but still show their place.
form.addEventListener('click', ({ target }) => {
  const field = target.closest('.f[data-pointer]');
  if (field !== null) enter(field);
});

/** False where there is nothing to focus. */
export function focusField(field) {
  const control = field === undefined ? null : controlOf(field);
  if (control === null) return false;
  control.focus();
  control.select?.();
  control.scrollIntoView({ block: 'nearest' });
  return true;
}

/** By none: back to the one that is worked on. */
export function moveBy(step) {
  const all = fields();
  const at = all.indexOf(current);
  return focusField(all[at < 0 ? 0 : at + step]);
}

export const isUnmet = (field) =>
  field.classList.contains('unmet') || field.closest('tr.unmet') !== null || field.dataset.missing === 'yes';

/** The next field that a rule objects to, after the one that is being worked on; null when none is left behind it. */
export function nextUnmet() {
  const all = fields();
  const at = all.indexOf(current);
  return all.find((field, index) => index > at && isUnmet(field)) ?? null;
}

export function setValue(field, text) {
  const control = controlOf(field);
  say(field, 'value');
  control.value = text;
  edited();
}

/** A value, blank, or not printed: only where the spec knows the difference. */
export function say(field, what) {
  const select = field.querySelector('select:not(.choice)');
  const box = field.querySelector('.control');
  if (select === null) return what === 'value';
  select.value = what;
  box.dataset.said = what;
  const control = controlOf(field);
  control.readOnly = what !== 'value';
  if (what !== 'value') control.value = '';
  control.placeholder = what === 'value' ? '' : what === 'blank' ? 'blank' : 'not printed';
  return true;
}

/** The same key once more takes it back. */
export function sayOrTakeBack(what) {
  if (current === null || !isMine) return;
  const is = current.querySelector('.control').dataset.said;
  if (say(current, is === what ? 'value' : what)) edited();
}

form.addEventListener('change', ({ target }) => {
  if (target.matches('.control select:not(.choice)')) {
    const field = target.closest('.f');
    say(field, target.value);
    if (target.value === 'value') controlOf(field).focus();
  }
  edited();
});
form.addEventListener('input', edited);

form.addEventListener('click', ({ target }) => {
  if (target.dataset.reading !== undefined) setValue(target.closest('.f'), target.dataset.reading);
  else if (target.dataset.put !== undefined) choose(target);
});

/** One of two values that a conflict offers. */
function choose(button) {
  const row = button.closest('[data-choice]');
  const field = fields().find(({ dataset }) => dataset.pointer === row.dataset.choice);
  if (field === undefined) return;
  const text = button.dataset.put;
  if (text === 'not_printed' || text === 'blank') {
    if (!say(field, text)) controlOf(field).value = text;
    edited();
  } else setValue(field, text);
  for (const other of row.querySelectorAll('[data-put]'))
    other.setAttribute('aria-pressed', String(other === button));
}
