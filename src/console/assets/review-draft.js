// What was typed is kept on the server a moment later, and when the page is left.

import { showTimes } from './console.js';
import { form, path } from './review-desk.js';
import { formData, post } from './review-server.js';
import { forgetUnsent, formNow, rememberUnsent } from './review-unsent.js';

let timer = 0;
let isDirty = false;
let keepsNothing = false;

form.addEventListener('edited', () => {
  rememberUnsent();
  if (keepsNothing) return;
  isDirty = true;
  clearTimeout(timer);
  timer = setTimeout(keepDraft, 900);
});

export async function keepDraft() {
  if (!isDirty) return;
  isDirty = false;
  const sent = formNow();
  const kept = await post('draft', formData());
  const place = document.getElementById('draft-state');
  if (kept === null) {
    isDirty = true;
    place.textContent = '; draft not kept yet';
    timer = setTimeout(keepDraft, 5_000);
    return;
  }
  forgetUnsent(sent);
  if (isDirty) rememberUnsent();
  const time = document.createElement('time');
  time.dateTime = kept.at;
  time.dataset.form = 'clock';
  place.replaceChildren('; draft kept ', time);
  showTimes(place);
}

/** Nothing is left to keep: it goes with the decision. */
export function dropDraft() {
  isDirty = false;
  forgetUnsent();
  clearTimeout(timer);
}

/** From now on what is typed waits in this tab only. */
export function keepNothing() {
  keepsNothing = true;
  isDirty = false;
  clearTimeout(timer);
}

addEventListener('pagehide', () => {
  if (isDirty) navigator.sendBeacon?.(`${path}/draft`, new URLSearchParams(formData()));
});
