// The hold on a review: counted down, extended for whoever is at work, warned of before it ends, and ended without loss.

import { showTimes } from './console.js';
import { form, isMine, path } from './review-desk.js';
import { keepDraft } from './review-draft.js';
import { notice } from './review-notice.js';
import { post } from './review-server.js';

const lease = document.getElementById('lease');
let expiresAt = lease.dataset.expires === '' ? 0 : Date.parse(lease.dataset.expires);
let lastActivity = Date.now();
let warned = false;

const wholeLease = 15 * 60_000;
const soon = 2 * 60_000;

export function showLease() {
  if (!isMine || expiresAt === 0) return;
  const left = Math.max(0, expiresAt - Date.now());
  const minutes = Math.floor(left / 60_000);
  document.getElementById('lease-left').textContent =
    `, ${minutes} min ${Math.floor((left % 60_000) / 1000)} s left`;
  const used = 1 - Math.min(1, left / wholeLease);
  document
    .querySelector('#lease-line rect:nth-child(2)')
    .setAttribute('width', String(Math.round(131 * used)));
  const isShort = left < soon;
  lease.classList.toggle('short', isShort);
  document.getElementById('extend').hidden = !isShort;
  if (isShort && left > 0 && !warned) {
    warned = true;
    document.getElementById('lease-alert').textContent =
      `Your hold on this review ends in ${minutes > 0 ? `${minutes} min` : 'less than a minute'}; extend it to go on.`;
  }
  if (left === 0) loseLease(null);
  // Somebody who is at work holds on without asking for it.
  else if (left < wholeLease - 60_000 && left > soon && Date.now() - lastActivity < 60_000) extend();
}

let extending = false;

/** Asks for the whole time again. */
export async function extend() {
  if (extending) return;
  extending = true;
  const held = await post('extend', new URLSearchParams());
  extending = false;
  if (held === null) return;
  expiresAt = Date.parse(held.leaseExpiresAt);
  warned = false;
  document.getElementById('lease-alert').textContent = '';
  const time = lease.querySelector('time');
  time.dateTime = held.leaseExpiresAt;
  showTimes(lease);
  showLease();
}

/** Who has it since it was lost: a name, or null for nobody; undefined as long as it is not lost. */
let lostTo;

/** Read-only from here on, with everything that was typed: the hold ran out (`to` is null), or somebody took it over. */
export async function loseLease(to) {
  if (lostTo === to) return;
  const isFirst = lostTo === undefined;
  lostTo = to;
  expiresAt = 0;
  if (isFirst) await closeForm();
  const why =
    to !== null
      ? `${to} took this review over. Your draft is kept.`
      : isFirst
        ? 'Your hold ran out. Your draft is kept; take the review again to go on.'
        : 'Nobody holds this review now. Your draft is kept; take it again to go on.';
  document.getElementById('lease-alert').textContent = why;
  lease.querySelector('#lease-until').textContent = to === null ? 'Your hold ran out' : `Held by ${to}`;
  if (to === null) notice(why, takeAgain());
  else notice(why);
}

async function closeForm() {
  await keepDraft();
  document.getElementById('controls').disabled = true;
  for (const button of form.querySelectorAll('.verbs button')) button.setAttribute('aria-disabled', 'true');
  lease.classList.add('short');
  document.getElementById('extend').hidden = true;
  document.getElementById('release').hidden = true;
}

function takeAgain() {
  const again = document.createElement('button');
  again.type = 'submit';
  again.className = 'go';
  again.textContent = 'Take again';
  again.setAttribute('formaction', `${path}/claim`);
  again.setAttribute('form', 'review-form');
  return again;
}

/** The server says until when it is held. */
export function heldUntil(instant) {
  if (lostTo === undefined) expiresAt = Math.max(expiresAt, Date.parse(instant));
}

document.getElementById('extend')?.addEventListener('click', extend);
for (const kind of ['pointerdown', 'keydown']) {
  document.addEventListener(kind, () => {
    lastActivity = Date.now();
  });
}
form.addEventListener('edited', () => {
  lastActivity = Date.now();
});
setInterval(showLease, 1_000);
