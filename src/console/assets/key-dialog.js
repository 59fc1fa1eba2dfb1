// All keys, each with a way to give its command another one, and a switch for those that are one character alone.

import {
  changeKey,
  commands,
  isSingle,
  keycaps,
  pressed,
  resetKeys,
  setKeyOf,
  singleKeys,
  switchSingleKeys,
  words,
} from './keys.js';

const made = (name, properties, ...content) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...content);
  return element;
};

/** Gives the next key that is pressed to `name`, unless it is Escape or another's; says what came of it. */
function capture(name, done) {
  const { says } = commands[name];
  const mayBeSingle = isSingle(commands[name].key);
  const take = (event) => {
    const key = pressed(event);
    if (key === null) return;
    event.preventDefault();
    event.stopPropagation();
    document.removeEventListener('keydown', take, true);
    const other = Object.keys(commands).find((known) => known !== name && setKeyOf(known) === key);
    if (key === 'Escape') done('Left as it was.');
    else if (!/^(Ctrl|Alt)\+|^F\d+$/.test(key) && !(mayBeSingle && isSingle(key) && key !== ' '))
      done('It needs Ctrl or Alt, so that typing stays safe.');
    else if (other !== undefined) done(`${words(key)} is "${commands[other].says}" already.`);
    else {
      changeKey(name, key);
      done(`"${says}" is ${words(key)} now.`);
    }
  };
  document.addEventListener('keydown', take, true);
  return `Press the new key for "${says}"${mayBeSingle ? '' : ', with Ctrl or Alt'}. Escape leaves it as it is.`;
}

export function openKeyDialog() {
  const list = made('div', { className: 'key-list' });
  const note = made('p', { className: 'second small' }, 'Kept in this browser.');
  note.setAttribute('role', 'status');
  const fill = () => {
    list.replaceChildren(
      ...Object.entries(commands).flatMap(([name, { says, fixed }]) => {
        const key = setKeyOf(name);
        const isOff = isSingle(key) && !singleKeys();
        const caps = made(
          'span',
          {},
          ...(isOff ? [made('span', { className: 'grey' }, 'off')] : keycaps(key)),
        );
        const change = made('button', { type: 'button', className: 'link' }, 'Change');
        change.setAttribute('aria-label', `Change the key of: ${says}`);
        change.addEventListener('click', () => {
          note.textContent = capture(name, (text) => {
            note.textContent = text;
            fill();
          });
        });
        return [made('span', {}, says), caps, fixed ? made('span') : change];
      }),
    );
  };
  const single = made('input', { type: 'checkbox', checked: singleKeys() });
  single.addEventListener('change', () => {
    switchSingleKeys(single.checked);
    fill();
  });
  const reset = made('button', { type: 'button' }, 'As they came');
  reset.addEventListener('click', () => {
    resetKeys();
    single.checked = singleKeys();
    fill();
  });
  const close = made('button', { type: 'button', className: 'go' }, 'Close');
  close.addEventListener('click', () => dialog.close());
  fill();
  const dialog = made(
    'dialog',
    {},
    made('h2', { id: 'keys-title' }, 'Keys'),
    list,
    made('p', {}, made('label', {}, single, ' Keys that are one character alone')),
    note,
    made('div', { className: 'buttons' }, reset, close),
  );
  dialog.setAttribute('aria-labelledby', 'keys-title');
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
