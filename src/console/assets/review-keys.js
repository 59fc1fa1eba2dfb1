// The keys of the review screen: a list that is always in sight, a dialog with all of them, and a way to change each.
// Commands carry Alt or Ctrl, so that typing is safe.

const store = 'endstop-review-keys';

/**
 * Every command: its key unless it was changed, and what it says. `shown` ones stand in the line at the bottom, as far as
 * they do something there: `mine` ones need the hold on the review, `free` ones that nobody has it.
 */
export const commands = {
  take: { key: 'T', says: 'take it', shown: true, fixed: true, when: 'free' },
  'next-unmet': { key: 'Tab', says: 'next unmet', shown: true, fixed: true, when: 'mine' },
  fields: { key: '↑ ↓', says: 'field', shown: true, fixed: true, when: 'mine' },
  accept: { key: 'Enter', says: 'accept as printed', shown: true, fixed: true, when: 'mine' },
  'not-printed': { key: 'Alt+P', says: 'not printed', shown: true, when: 'mine' },
  blank: { key: 'Alt+B', says: 'blank', shown: true, when: 'mine' },
  evidence: { key: 'Alt+E', says: 'show evidence', shown: true },
  attempts: { key: 'Alt+D', says: 'attempts', shown: true },
  override: { key: 'Alt+O', says: 'override', shown: true, when: 'mine' },
  'add-row': { key: 'Alt+A', says: 'add a row', shown: false },
  'remove-row': { key: 'Alt+X', says: 'remove the row', shown: false },
  'page-down': { key: 'PageDown', says: 'next page', shown: true },
  'page-up': { key: 'PageUp', says: 'page before', shown: false },
  text: { key: 'Alt+T', says: 'page as text', shown: false },
  extend: { key: 'Alt+H', says: 'hold it longer', shown: false },
  approve: { key: 'Ctrl+Enter', says: 'approve, next', shown: true, when: 'mine' },
  reject: { key: 'Alt+R', says: 'reject', shown: false },
  'not-in-document': { key: 'Alt+N', says: 'not in document', shown: false },
  redrive: { key: 'Alt+V', says: 'redrive', shown: false },
  keys: { key: '?', says: 'all keys, change them', shown: true },
};

let changed = {};
try {
  changed = JSON.parse(localStorage.getItem(store) ?? '{}');
} catch {
  changed = {};
}

export const keyOf = (name) => changed[name] ?? commands[name].key;

/** The key of an event as the list writes it: Ctrl+Enter, Alt+P, ?. Letters by where they lie, as Alt changes them. */
export function pressed(event) {
  const { key, code, ctrlKey, metaKey, altKey } = event;
  if (['Control', 'Alt', 'Shift', 'Meta'].includes(key)) return null;
  const letter =
    altKey && /^Key[A-Z]$/.test(code) ? code.slice(3) : key.length === 1 ? key.toUpperCase() : key;
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${letter}`;
}

const symbols = { Enter: '↵', PageUp: 'PgUp', PageDown: 'PgDn' };

function keycaps(key) {
  return (key.includes('+') ? [words(key)] : key.split(' ')).map((part) => {
    const cap = document.createElement('kbd');
    cap.textContent = symbols[part] ?? part;
    return cap;
  });
}

function words(key) {
  return key
    .split('+')
    .map((part) => symbols[part] ?? part)
    .join(' ');
}

/** Writes the line at the bottom, for somebody who stands so to the review, and the keys on the buttons. */
export function showKeys(line, standing, run) {
  const shown = Object.entries(commands).filter(
    ([, { shown, when = standing }]) => shown && when === standing,
  );
  line.replaceChildren(
    ...shown.map(([name, { says }]) => {
      const isList = name === 'keys';
      const part = document.createElement(isList ? 'button' : 'span');
      part.append(...keycaps(keyOf(name)).flatMap((cap) => [cap, ' ']), says);
      if (isList) {
        Object.assign(part, { type: 'button', className: 'link' });
        part.addEventListener('click', () => run('keys'));
      }
      return part;
    }),
  );
  for (const cap of document.querySelectorAll('[data-key-of]'))
    cap.textContent = words(keyOf(cap.dataset.keyOf));
}

/** All keys, each with a way to give its command another one. */
export function openKeyDialog(onChange) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'keys-title');
  const title = document.createElement('h2');
  title.id = 'keys-title';
  title.textContent = 'Keys';
  const list = document.createElement('div');
  list.className = 'key-list';
  const note = document.createElement('p');
  note.className = 'second small';
  note.setAttribute('role', 'status');
  note.textContent = 'Kept in this browser.';
  const fill = () => {
    list.replaceChildren(
      ...Object.entries(commands).flatMap(([name, { says, fixed }]) => {
        const what = document.createElement('span');
        what.textContent = says;
        const caps = document.createElement('span');
        caps.append(...keycaps(keyOf(name)));
        const change = document.createElement('button');
        change.type = 'button';
        change.className = 'link';
        change.textContent = fixed ? '' : 'Change';
        change.hidden = fixed === true;
        change.setAttribute('aria-label', `Change the key of: ${says}`);
        change.addEventListener('click', () => capture(name, says));
        return [what, caps, fixed ? document.createElement('span') : change];
      }),
    );
  };
  const capture = (name, says) => {
    note.textContent = `Press the new key for "${says}", with Ctrl or Alt. Escape leaves it as it is.`;
    const take = (event) => {
      const key = pressed(event);
      if (key === null) return;
      event.preventDefault();
      event.stopPropagation();
      document.removeEventListener('keydown', take, true);
      const other = Object.keys(commands).find((known) => known !== name && keyOf(known) === key);
      if (key === 'Escape') note.textContent = 'Left as it was.';
      else if (!/^(Ctrl|Alt)\+/.test(key))
        note.textContent = 'It needs Ctrl or Alt, so that typing stays safe.';
      else if (other !== undefined) note.textContent = `${words(key)} is "${commands[other].says}" already.`;
      else {
        changed = { ...changed, [name]: key };
        localStorage.setItem(store, JSON.stringify(changed));
        note.textContent = `"${says}" is ${words(key)} now.`;
        fill();
        onChange();
      }
    };
    document.addEventListener('keydown', take, true);
  };
  const buttons = document.createElement('div');
  buttons.className = 'buttons';
  const reset = document.createElement('button');
  reset.type = 'button';
  reset.textContent = 'As they came';
  reset.addEventListener('click', () => {
    changed = {};
    localStorage.removeItem(store);
    fill();
    onChange();
  });
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.className = 'go';
  close.addEventListener('click', () => dialog.close());
  buttons.append(reset, close);
  fill();
  dialog.append(title, list, note, buttons);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
