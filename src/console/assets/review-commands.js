// What keys and buttons do. What is decided goes as a plain form, so that nothing here stands between a person and the
// server.

import { isCovered, onCommands, pressed } from './keys.js';
import { blocked } from './review-approval.js';
import { form, isMine } from './review-desk.js';
import { dropDraft } from './review-draft.js';
import {
  current,
  fields,
  focusField,
  moveBy,
  nextUnmet,
  say,
  sayOrTakeBack,
  setValue,
} from './review-fields.js';

import { extend } from './review-lease.js';
import { notice } from './review-notice.js';
import { viewer } from './review-paper.js';
import { addRow, removeRow } from './review-rows.js';
import { isOpen, openTab } from './review-tabs.js';

onCommands({
  take: () => document.getElementById('take')?.click(),
  'not-printed': () => sayOrTakeBack('not_printed'),
  blank: () => sayOrTakeBack('blank'),
  evidence: () => current !== null && viewer?.point(current.dataset.pointer),
  attempts: () => {
    const wasOpen = isOpen(1);
    openTab(wasOpen ? 0 : 1, !wasOpen);
    if (wasOpen) focusField(current ?? fields()[0]);
  },
  override: () => {
    const box = document.querySelector('#overrides input:not(:checked)');
    box?.click();
    box?.scrollIntoView({ block: 'nearest' });
    document.getElementById('note')?.focus();
  },
  'add-row': () => {
    const list = current?.closest('.list') ?? form.querySelector('.list');
    if (list !== null && isMine) addRow(list);
  },
  'remove-row': () => {
    const row = current?.closest('tbody tr') ?? null;
    if (row !== null && isMine) removeRow(row);
  },
  'page-down': () => viewer?.by(1),
  'page-up': () => viewer?.by(-1),
  text: () => document.getElementById('as-text').click(),
  extend: () => isMine && extend(),
  approve: () => press('approve'),
  reject: () => press('reject'),
  'not-in-document': () => press('not-in-document'),
  redrive: () => press('redrive'),
});

function press(command) {
  const button = form.querySelector(`[data-command="${command}"]`);
  // What asks first opens its dialog.
  if (button?.type === 'button') button.click();
  else if (button !== null) form.requestSubmit(button);
}

form.addEventListener('submit', (event) => {
  const { submitter } = event;
  if (submitter?.getAttribute('aria-disabled') === 'true') {
    event.preventDefault();
    const first = document.querySelector('#overrides input:not(:checked)');
    (blocked === null ? (first ?? document.getElementById('note')) : null)?.focus();
    return;
  }
  if (submitter?.value === 'reject' && document.getElementById('note').value.trim() === '') {
    event.preventDefault();
    document.getElementById('note').focus();
    notice('Say why it is rejected: the reason stands in its history.');
    return;
  }
  dropDraft();
  // What was closed with the lease is sent as well: to be compared, never to be lost.
  document.getElementById('controls')?.removeAttribute('disabled');
});

document.addEventListener('keydown', (event) => {
  if (isCovered()) return;
  const key = pressed(event);
  if (key === null) return;
  const { target } = event;
  const field = target.closest('.f[data-pointer]');
  if (field !== null && target.matches('input')) {
    // Whoever types where nothing was said to be means that something is there.
    if (
      target.readOnly &&
      isMine &&
      event.key.length === 1 &&
      !event.ctrlKey &&
      !event.altKey &&
      !event.metaKey
    ) {
      say(field, 'value');
    }
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      moveBy(key === 'ArrowDown' ? 1 : -1);
      return;
    }
    if (key === 'Enter') {
      event.preventDefault();
      if (field.dataset.accept !== undefined) setValue(field, field.dataset.accept);
      const next = nextUnmet();
      // Not to an override: what was accepted may be what its rule waited for, and its box goes then.
      if (next !== null) focusField(next);
      else document.getElementById('approve')?.focus();
      return;
    }
    // Only forwards, and only while there is one: so that Tab always leads out of the form in the end.
    if (key === 'Tab' && !event.shiftKey && isMine) {
      const next = nextUnmet();
      if (next !== null) {
        event.preventDefault();
        focusField(next);
      }
      return;
    }
  }
  if (key === 'ArrowUp' && isMine && target.closest('.decide') !== null) {
    event.preventDefault();
    openTab(0, false);
    moveBy(0);
    return;
  }
  if (key === 'Enter' && target.name === 'o') {
    event.preventDefault();
    // A key that is held down overrides nothing.
    if (event.repeat) return;
    if (!target.checked) target.click();
    document.getElementById('note').focus();
    return;
  }
  if (key === 'Enter' && target.id === 'note') {
    event.preventDefault();
    document.getElementById('approve')?.focus();
  }
});
