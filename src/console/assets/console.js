// What every page does beside its own work: times in the reader's zone, light and dark, keys, filters that apply
// themselves, forms that are sent once. A page without this script says the same, in UTC and with one more button.

import { openKeyDialog } from './key-dialog.js';
import { onCommands } from './keys.js';

const root = document.documentElement;
root.classList.add('scripted');

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const forms = {
  clock: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }),
  short: new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }),
  date: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }),
};
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min ago` : `${Math.floor(hours / 24)} d ago`;
}

/** Writes every time in the reader's zone. Runs again over what a page gets later. */
export function showTimes(within = document) {
  for (const time of within.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    const form = time.dataset.form ?? 'short';
    time.title = whole.format(at);
    const text = form === 'ago' ? ago(Date.now() - at) : forms[form].format(at).replace(',', '');
    if (time.textContent !== text) time.textContent = text;
  }
  for (const clock of within.querySelectorAll('[data-clock]')) {
    clock.textContent = forms[clock.dataset.form].format(new Date(clock.dataset.clock));
  }
  for (const place of within.querySelectorAll('[data-zone]')) place.textContent = zoneName();
}

function zoneName() {
  const offset = -new Date().getTimezoneOffset();
  const sign = offset < 0 ? '−' : '+';
  const minutes = Math.abs(offset) % 60 === 0 ? '' : `:${String(Math.abs(offset) % 60).padStart(2, '0')}`;
  const city = zone.split('/').at(-1).replaceAll('_', ' ');
  return offset === 0 ? 'UTC' : `${city} time, UTC${sign}${Math.floor(Math.abs(offset) / 60)}${minutes}`;
}

document.addEventListener('click', (event) => {
  const control = event.target.closest('[data-theme-switch]');
  if (control === null) return;
  const isDark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser of our readers has the Cookie Store.
  document.cookie = `endstop_theme=${root.dataset.theme}; path=/console; max-age=31536000; samesite=strict`;
});

onCommands({
  find: () => document.querySelector('.find input')?.focus(),
  keys: openKeyDialog,
  help: openKeyDialog,
});
const keysButton = document.querySelector('[data-keys]');
keysButton?.addEventListener('click', openKeyDialog);
keysButton?.removeAttribute('hidden');

for (const form of document.querySelectorAll('form[data-filters]')) {
  form.addEventListener('change', () => form.requestSubmit());
  // Filters that say nothing need not stand in the address.
  form.addEventListener('formdata', (event) => {
    for (const [name, value] of [...event.formData]) if (value === '') event.formData.delete(name);
  });
}
for (const spare of document.querySelectorAll('[data-without-script]')) spare.hidden = true;

/** Forms that were sent and are not answered yet, by name: none is sent a second time meanwhile, however long that takes. */
const sent = new Set();
/** Ends when the answer that is loaded is given up. */
let load = null;
const nameOf = (form) => form.getAttribute('id') ?? form.getAttribute('action');

function markSent() {
  for (const form of document.forms) {
    if (!sent.has(nameOf(form))) continue;
    for (const button of [...form.elements].filter(({ type, disabled }) => type === 'submit' && !disabled)) {
      button.disabled = true;
      button.setAttribute('aria-busy', 'true');
    }
  }
}

document.addEventListener('submit', (event) => {
  const { target, submitter } = event;
  if (event.defaultPrevented || (submitter?.formMethod || target.method) !== 'post') return;
  if (sent.has(nameOf(target))) {
    event.preventDefault();
    return;
  }
  sent.add(nameOf(target));
  load = null;
  // A moment later: a button that is disabled already is not sent with its form.
  setTimeout(markSent);
});
// What takes the place of a form that was sent is that form still.
document.addEventListener('refreshed', markSent);

function answered() {
  sent.clear();
  for (const button of document.querySelectorAll(':is(button, input)[aria-busy]')) {
    button.disabled = false;
    button.removeAttribute('aria-busy');
  }
}
addEventListener('pageshow', answered);

// Whoever stopped the loading of the answer may press again. One that the next form takes the place of was not stopped.
globalThis.navigation?.addEventListener('navigate', ({ signal }) => {
  load = signal;
  signal.addEventListener('abort', () => {
    if (load === signal) answered();
  });
});

// On a phone the bar is longer than the screen.
document.querySelector('.bar nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

showTimes();
setInterval(showTimes, 20_000);
