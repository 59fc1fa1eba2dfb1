// The keys of every page, decided in one place: which command has which, what this page does at them, and how they are
// written. Most carry Alt or Ctrl, so that typing is safe; those that are one character alone can be switched off.

const store = 'endstop-keys';

/**
 * Every command: its key unless it was changed, and what it says. `shown` ones stand in the line at the bottom of a
 * review, as far as they do something there: `mine` ones need the hold on it, `free` ones that nobody has it. `fixed` ones
 * belong to the field that is worked on.
 */
export const commands = {
  keys: { key: 'Alt+K', says: 'all keys, change them', shown: true },
  help: { key: '?', says: 'all keys, while nothing is typed into' },
  find: { key: '/', says: 'find an extraction or a review' },
  take: { key: 'T', says: 'take it, or the first free one', shown: true, when: 'free' },
  'next-unmet': { key: 'Tab', says: 'next unmet', shown: true, fixed: true, when: 'mine' },
  fields: { key: '↑ ↓', says: 'field', shown: true, fixed: true, when: 'mine' },
  accept: { key: 'Enter', says: 'accept as printed', shown: true, fixed: true, when: 'mine' },
  'not-printed': { key: 'Alt+P', says: 'not printed', shown: true, when: 'mine' },
  blank: { key: 'Alt+B', says: 'blank', shown: true, when: 'mine' },
  evidence: { key: 'Alt+E', says: 'show evidence', shown: true },
  attempts: { key: 'Alt+D', says: 'attempts', shown: true },
  override: { key: 'Alt+O', says: 'override', shown: true, when: 'mine' },
  'add-row': { key: 'Alt+A', says: 'add a row' },
  'remove-row': { key: 'Alt+X', says: 'remove the row' },
  'page-down': { key: 'PageDown', says: 'next page', shown: true },
  'page-up': { key: 'PageUp', says: 'page before' },
  text: { key: 'Alt+T', says: 'page as text' },
  extend: { key: 'Alt+H', says: 'hold it longer' },
  approve: { key: 'Ctrl+Enter', says: 'approve, next', shown: true, when: 'mine' },
  reject: { key: 'Alt+R', says: 'reject' },
  'not-in-document': { key: 'Alt+N', says: 'not in document' },
  redrive: { key: 'Alt+V', says: 'redrive' },
};

/** What somebody changed in this browser: `keys` by command, and whether one character alone is a key. */
let changed = { keys: {}, single: true };
try {
  changed = { ...changed, ...JSON.parse(localStorage.getItem(store) ?? '{}') };
} catch {
  // Kept by nobody then.
}

export const isSingle = (key) => key.length === 1;
export const singleKeys = () => changed.single;

/** The key of a command, whether or not it is switched off. */
export const setKeyOf = (name) => changed.keys[name] ?? commands[name].key;

/** Null: it has none now. */
export function keyOf(name) {
  const key = setKeyOf(name);
  return isSingle(key) && !changed.single ? null : key;
}

export function changeKey(name, key) {
  keep({ ...changed, keys: { ...changed.keys, [name]: key } });
}

export function switchSingleKeys(single) {
  keep({ ...changed, single });
}

/** All as they came. */
export function resetKeys() {
  keep({ keys: {}, single: true });
}

function keep(next) {
  changed = next;
  localStorage.setItem(store, JSON.stringify(changed));
  showKeys();
}

/** The key of an event as the list writes it: Ctrl+Enter, Alt+P, ?. Letters by where they lie, as Alt changes them. */
export function pressed(event) {
  const { key, code, ctrlKey, metaKey, altKey } = event;
  if (['Control', 'Alt', 'Shift', 'Meta'].includes(key)) return null;
  const letter =
    altKey && /^Key[A-Z]$/.test(code) ? code.slice(3) : key.length === 1 ? key.toUpperCase() : key;
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${letter}`;
}

/** Something lies over the page and has the keys for itself. */
export const isCovered = () => document.querySelector(':is(dialog[open], :popover-open)') !== null;

const run = {};

/** What this page does at a command. */
export function onCommands(own) {
  Object.assign(run, own);
  showKeys();
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || isCovered()) return;
  const key = pressed(event);
  const name = Object.keys(run).find((command) => key !== null && keyOf(command) === key);
  if (name === undefined) return;
  // One character may be meant for a text.
  if (isSingle(key) && event.target.closest('input:not([type="checkbox"]), textarea, select')) return;
  event.preventDefault();
  run[name]();
});

// Buttons that came with a fresh part of the page have the keys that they were written with.
document.addEventListener('refreshed', showKeys);

const symbols = { Enter: '↵', PageUp: 'PgUp', PageDown: 'PgDn' };

/** A key as it is read: Ctrl ↵. */
export function words(key) {
  return key
    .split('+')
    .map((part) => symbols[part] ?? part)
    .join(' ');
}

export function keycaps(key) {
  return (key.includes('+') ? [words(key)] : key.split(' ')).map((part) => {
    const cap = document.createElement('kbd');
    cap.textContent = symbols[part] ?? part;
    return cap;
  });
}

/** Writes the keys on the buttons, and the line at the bottom of a review. */
function showKeys() {
  for (const cap of document.querySelectorAll('[data-key-of]')) {
    const key = keyOf(cap.dataset.keyOf);
    cap.hidden = key === null;
    if (key !== null) cap.textContent = words(key);
  }
  const line = document.getElementById('keys');
  if (line === null) return;
  const { standing } = line.dataset;
  line.replaceChildren(
    ...Object.entries(commands).flatMap(([name, { says, shown, when = standing }]) => {
      const key = keyOf(name);
      if (!shown || when !== standing || key === null) return [];
      const part = document.createElement(name === 'keys' ? 'button' : 'span');
      part.append(...keycaps(key).flatMap((cap) => [cap, ' ']), says);
      if (name === 'keys') {
        Object.assign(part, { type: 'button', className: 'link' });
        part.addEventListener('click', () => run.keys());
      }
      // A line may be broken between two of them.
      return [part, ' '];
    }),
  );
}
