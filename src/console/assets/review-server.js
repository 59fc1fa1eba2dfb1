// What the review screen asks of the server. No answer is no harm: whoever asked goes on as before.

import { form, path } from './review-desk.js';
import { notice } from './review-notice.js';

/** Everything in the form, also while it is closed. */
export function formData() {
  // A fieldset that was closed with the lease still holds what was typed.
  const controls = document.getElementById('controls');
  const was = controls?.disabled ?? false;
  if (controls !== null) controls.disabled = false;
  const data = new URLSearchParams(new FormData(form));
  if (controls !== null) controls.disabled = was;
  return data;
}

/** The answer, or null when there is none to use. That others were quicker is told to whoever listens for `outdated`. */
export async function post(what, body) {
  try {
    const response = await fetch(`${path}/${what}`, {
      method: 'POST',
      body,
      headers: { accept: 'application/json' },
    });
    if (response.ok) return await response.json();
    if (response.status === 409 || response.status === 412)
      document.dispatchEvent(new CustomEvent('outdated'));
    if (response.status === 401)
      notice('You are signed out: sign in again in another tab; what you typed is kept here.');
    return null;
  } catch {
    return null;
  }
}
