// What was typed and not kept on the server yet outlives a reload: it waits in this tab, and only until it is kept.

import { desk, edited, form } from './review-desk.js';
import { say } from './review-fields.js';

const { review, version, holder } = desk.dataset;
const place = `endstop.unsent.${review}.${version}.${holder}`;
const entries = () => [...new FormData(form)].filter(([name]) => /^[vsj]\/|^note$/.test(name));
const namesOf = (all) => all.map(([name]) => name).join(' ');

/** The form as the server has it. */
let kept = new Map(entries());

/** Only what differs from what the server has: the rest may change there meanwhile. */
export function rememberUnsent() {
  sessionStorage.setItem(place, JSON.stringify({ names: namesOf(entries()), unsent: unsentNow() }));
}

export const unsentNow = () => entries().filter(([name, value]) => kept.get(name) !== value);

export const formNow = () => new Map(entries());

/** The server has `sent`; what was typed since goes on waiting. */
export function forgetUnsent(sent = formNow()) {
  kept = sent;
  sessionStorage.removeItem(place);
}

/** Puts back what waits. Cells only into the same rows that they were typed in. */
export function restoreUnsent() {
  const held = sessionStorage.getItem(place);
  if (held === null) return;
  const { names, unsent } = JSON.parse(held);
  const hasSameRows = names === namesOf(entries());
  for (const [name, value] of unsent) {
    const isCell = form.elements.namedItem(name)?.closest?.('.list') ?? null;
    if (isCell === null || hasSameRows) put(name, value);
  }
  edited();
}

/** Makes one control of the form say `value`; nothing where there is none of that name. */
export function put(name, value) {
  const control = form.elements.namedItem(name);
  if (control?.closest === undefined) return;
  if (name.startsWith('s/')) say(control.closest('.f'), value);
  else control.value = value;
}
