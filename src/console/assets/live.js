// Keeps a page up to date: the server says when something changed, the page is fetched again, and what is marked
// `data-live` takes the place of what was there. Old figures stay while the server is away, and say how old they are.
import { showTimes } from './console.js';

const note = document.querySelector('[data-live-note]');
const parts = () => [...document.querySelectorAll('[data-live][id]')];

let at = note === null ? Date.now() : Date.parse(note.dataset.at);
let waitUntil = null;
let busy = false;
let again = false;

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

function say() {
  const line = document.querySelector('[data-live-note]');
  if (line === null) return;
  const text = line.querySelector('[data-live-text]');
  const age = Math.max(0, Math.round((Date.now() - at) / 1000));
  const isLost = waitUntil !== null;
  line.dataset.state = isLost ? 'lost' : 'on';
  const left = Math.max(0, Math.ceil(((waitUntil ?? 0) - Date.now()) / 1000));
  const words = isLost
    ? `as of ${clock.format(at)}; reconnecting, ${left} s`
    : age < 90
      ? `Live, ${age} s ago`
      : `Live, as of ${clock.format(at)}`;
  if (text.textContent !== words) text.textContent = words;
}

/** What somebody is in the middle of is left alone until they have left it. */
function isInUse(part) {
  if (part.querySelector(':popover-open') !== null) return true;
  return part.contains(document.activeElement) && document.activeElement.matches('input, select, textarea');
}

async function refresh() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!response.ok || response.redirected) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of parts()) {
      const next = fresh.getElementById(part.id);
      if (next === null || next.innerHTML === part.dataset.was || isInUse(part)) continue;
      const focused = part.contains(document.activeElement) ? document.activeElement : null;
      const href = focused?.getAttribute('href');
      const was = next.innerHTML;
      part.replaceChildren(...next.childNodes);
      part.dataset.was = was;
      showTimes(part);
      if (href) part.querySelector(`[href="${CSS.escape(href)}"]`)?.focus();
    }
    at = Date.now();
    document.dispatchEvent(new CustomEvent('refreshed'));
  } catch {
    // The stream notices by itself that the server is away.
  } finally {
    busy = false;
    say();
    if (again) {
      again = false;
      setTimeout(refresh, 1_000);
    }
  }
}

let pause = 1_000;
// As the page was made: what changed since then, also before the first word of the server, is news.
let seen = document.querySelector('[data-news]')?.dataset.news;

/** Browsers open six connections to a server at most, for all tabs together: only a tab that is looked at keeps one. */
let source = null;
let retry = 0;

function listen() {
  source = new EventSource('/console/live');
  source.addEventListener('pulse', ({ data }) => {
    waitUntil = null;
    pause = 1_000;
    document.documentElement.dataset.lost = 'no';
    const isNews = data !== seen;
    seen = data;
    if (!isNews) {
      calm();
      return;
    }
    document.dispatchEvent(new CustomEvent('pulse'));
    if (parts().length > 0) refresh();
    else at = Date.now();
    say();
  });
  source.addEventListener('calm', calm);
  source.onerror = () => {
    leave();
    document.documentElement.dataset.lost = 'yes';
    waitUntil = Date.now() + pause;
    say();
    retry = setTimeout(listen, pause);
    pause = Math.min(pause * 2, 15_000);
  };
}

function calm() {
  at = Date.now();
  // Some figures move without anything that the store would tell of.
  if (document.querySelector('[data-poll]') !== null) refresh();
  say();
}

function leave() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

/** What a tab missed while nobody saw it is news as soon as it listens again. */
function attend() {
  leave();
  if (document.visibilityState === 'visible') listen();
}

if (parts().length > 0 || document.querySelector('[data-pulse]') !== null) {
  for (const part of parts()) part.dataset.was = part.innerHTML;
  attend();
  setInterval(say, 1_000);
  document.addEventListener('visibilitychange', attend);
  addEventListener('pagehide', leave);
  addEventListener('pageshow', ({ persisted }) => persisted && attend());
}
