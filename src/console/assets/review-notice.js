// One line above the form for what happened meanwhile, with what can be done about it.

/** The last notice takes the place of the one before. */
export function notice(text, ...actions) {
  const place = document.getElementById('notices');
  const note = document.createElement('div');
  note.className = 'note bad';
  note.setAttribute('role', 'alert');
  const words = document.createElement('b');
  words.textContent = text;
  const buttons = document.createElement('div');
  buttons.className = 'buttons';
  buttons.append(...actions);
  note.append(words, buttons);
  place.querySelector('[data-notice]')?.remove();
  note.dataset.notice = '';
  place.append(note);
}
