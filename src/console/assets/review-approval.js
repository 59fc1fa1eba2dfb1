// Approving waits until every unmet rule holds or is overridden by name, with a reason; the button says what is missing.

import { form } from './review-desk.js';
import { serverPointers } from './review-rows.js';

/** What no override helps against; null: nothing. */
export let blocked = null;
let stands = 'approve';

/** What deciding with the values of the form is: agreement with the machine, or a correction. */
export function showStands(verb) {
  stands = verb;
}

/** A box for each rule that may be overridden; boxes that were ticked stay so. */
export function showOverrides(rules, misshapen) {
  const place = document.getElementById('overrides');
  if (place === null) return;
  const ticked = new Set([...place.querySelectorAll('input:checked')].map(({ value }) => value));
  const had = [...place.querySelectorAll('input')].map(({ value }) => value);
  if (had.join() !== rules.join()) {
    const focused = place.contains(document.activeElement) ? document.activeElement.value : null;
    place.replaceChildren(
      ...rules.map((rule) => {
        const label = document.createElement('label');
        label.className = 'override-rule';
        const box = document.createElement('input');
        Object.assign(box, { type: 'checkbox', name: 'o', value: rule, checked: ticked.has(rule) });
        const words = document.createElement('span');
        const strong = document.createElement('b');
        strong.textContent = 'Override';
        const name = document.createElement('code');
        name.textContent = rule;
        const who = document.createElement('bdi');
        who.textContent = place.dataset.name;
        words.append(strong, ' ', name, ' for this record, in the name of ', who);
        label.append(box, words);
        return label;
      }),
    );
    if (focused !== null) {
      const same = [...place.querySelectorAll('input')].find(({ value }) => value === focused);
      (same ?? document.getElementById('approve')).focus();
    }
  }
  blocked = misshapen.length > 0 ? inWords(misshapen[0]) : null;
  showApproval();
}

/** Some messages begin with the name of their field. */
function inWords({ pointer, message }) {
  const name = nameOf(pointer);
  return message.startsWith(`${name} `) ? message : `${name}: ${message}`;
}

/** What a field is called on the form. */
export const nameOf = (pointer) => {
  const field = serverPointers().get(pointer);
  const name = field?.querySelector('label')?.textContent ?? field?.querySelector('[aria-label]')?.ariaLabel;
  return name ?? (pointer === '' ? 'The record' : pointer);
};

function showApproval() {
  const button = document.getElementById('approve');
  if (button === null) return;
  const boxes = [...document.querySelectorAll('#overrides input')];
  const open = boxes.find(({ checked }) => !checked);
  const lacksReason =
    boxes.some(({ checked }) => checked) && document.getElementById('note').value.trim() === '';
  const why =
    blocked ??
    (open === undefined
      ? lacksReason
        ? 'An override needs its reason'
        : null
      : `${open.value} does not hold`);
  if (why === null) button.removeAttribute('aria-disabled');
  else button.setAttribute('aria-disabled', 'true');
  const word = document.getElementById('approve-word');
  const text = why ?? word.dataset[stands];
  if (word.textContent !== text) word.textContent = text;
  button.title = why ?? '';
}

form.addEventListener('input', ({ target }) => {
  if (target.id === 'note' || target.name === 'o') showApproval();
});
