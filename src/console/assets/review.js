// The review screen at work: evidence follows the field, rules run at each change, drafts are kept, the lease is watched,
// and keys do everything. What is decided goes as a plain form, so that nothing here stands between a person and the server.

import { showTimes } from './console.js';
import { createViewer } from './document.js';
import { commands, keyOf, openKeyDialog, pressed, showKeys } from './review-keys.js';

const desk = document.querySelector('main.desk');
const form = document.getElementById('review-form');
const path = `/console/reviews/${desk.dataset.review}`;
const isMine = desk.dataset.standing === 'mine';
const fields = () => [...form.querySelectorAll('.f[data-pointer]:not(.head-row)')];
const controlOf = (field) => field.querySelector('input, textarea, select.choice');

// Document

const pane = document.getElementById('document');
const pageList = document.getElementById('page-list');
const viewer = createViewer(pane, { onPage: showPage });

function showPage(page) {
  document.getElementById('page-of').textContent =
    viewer.count > 1 ? `, page ${page} of ${viewer.count}` : '';
  for (const button of pageList.children) {
    const isCurrent = Number(button.value) === page;
    if (isCurrent) {
      button.setAttribute('aria-current', 'true');
      pageList.scrollLeft = button.offsetLeft - pageList.clientWidth / 2;
    } else button.removeAttribute('aria-current');
  }
}

function marks() {
  return fields()
    .filter(({ dataset }) => dataset.page !== undefined)
    .map(({ dataset: { pointer, page, start, end, two } }) => ({
      ...{ pointer, page: Number(page), start: Number(start), end: Number(end), two: two === 'yes' },
    }));
}

if (viewer !== null) {
  if (viewer.count > 1) {
    pageList.append(
      ...Array.from({ length: viewer.count }, (_, index) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.value = String(index + 1);
        button.textContent = String(index + 1);
        button.setAttribute('aria-label', `Page ${index + 1}`);
        button.addEventListener('click', () => viewer.goTo(index + 1));
        return button;
      }),
    );
  }
  showPage(1);
  viewer.show(marks());
  const zoom = document.getElementById('zoom');
  zoom.hidden = false;
  zoom.addEventListener('click', ({ target }) => {
    if (target.dataset.zoom === undefined) return;
    const is = viewer.zoomBy(Number(target.dataset.zoom));
    document.getElementById('zoom-is').textContent = `${Math.round(is * 100)} %`;
  });
  const asText = document.getElementById('as-text');
  asText.hidden = viewer.kind !== 'pdf';
  asText.addEventListener('click', () => {
    const isText = asText.getAttribute('aria-pressed') !== 'true';
    asText.setAttribute('aria-pressed', String(isText));
    viewer.asText(isText);
  });
}

// Fields

let current = null;

function enter(field, mayScroll = true) {
  if (current === field) return;
  current?.classList.remove('at');
  current = field;
  field.classList.add('at');
  viewer?.point(field.dataset.pointer, mayScroll);
}

form.addEventListener('focusin', ({ target }) => {
  const field = target.closest('.f[data-pointer]');
  if (field !== null) enter(field);
});
// Fields of a review that cannot be edited hold no focus, but still show their place.
form.addEventListener('click', ({ target }) => {
  const field = target.closest('.f[data-pointer]');
  if (field !== null) enter(field);
});

function focusField(field) {
  const control = field === undefined ? null : controlOf(field);
  if (control === null) return false;
  control.focus();
  control.select?.();
  control.scrollIntoView({ block: 'nearest' });
  return true;
}

function moveBy(step) {
  const all = fields();
  const at = all.indexOf(current);
  return focusField(all[at < 0 ? 0 : at + step]);
}

const isUnmet = (field) =>
  field.classList.contains('unmet') || field.closest('tr.unmet') !== null || field.dataset.missing === 'yes';

/** The next field that a rule objects to, after the one that is being worked on; null when none is left behind it. */
function nextUnmet() {
  const all = fields();
  const at = all.indexOf(current);
  return all.find((field, index) => index > at && isUnmet(field)) ?? null;
}

function setValue(field, text) {
  const control = controlOf(field);
  say(field, 'value');
  control.value = text;
  changed();
}

/** A value, blank, or not printed: only where the spec knows the difference. */
function say(field, what) {
  const select = field.querySelector('select:not(.choice)');
  const box = field.querySelector('.control');
  if (select === null) return what === 'value';
  select.value = what;
  box.dataset.said = what;
  const control = controlOf(field);
  control.readOnly = what !== 'value';
  if (what !== 'value') control.value = '';
  control.placeholder = what === 'value' ? '' : what === 'blank' ? 'blank' : 'not printed';
  return true;
}

/** The same key once more takes it back. */
function sayOrTakeBack(what) {
  if (current === null || !isMine) return;
  const is = current.querySelector('.control').dataset.said;
  if (say(current, is === what ? 'value' : what)) changed();
}

form.addEventListener('change', ({ target }) => {
  if (target.matches('.control select:not(.choice)')) {
    const field = target.closest('.f');
    say(field, target.value);
    if (target.value === 'value') controlOf(field).focus();
  }
  changed();
});
form.addEventListener('input', changed);

form.addEventListener('click', ({ target }) => {
  if (target.dataset.reading !== undefined) {
    setValue(target.closest('.f'), target.dataset.reading);
  } else if (target.hasAttribute('data-add')) addRow(target.closest('.list'));
  else if (target.hasAttribute('data-remove')) removeRow(target.closest('tr'));
  else if (target.dataset.put !== undefined) choose(target);
});

function choose(button) {
  const row = button.closest('[data-choice]');
  const field = fields().find(({ dataset }) => dataset.pointer === row.dataset.choice);
  if (field === undefined) return;
  const text = button.dataset.put;
  if (text === 'not_printed' || text === 'blank') {
    if (!say(field, text)) controlOf(field).value = text;
    changed();
  } else setValue(field, text);
  for (const other of row.querySelectorAll('[data-put]'))
    other.setAttribute('aria-pressed', String(other === button));
}

let added = 0;

function addRow(list) {
  const body = list.querySelector('tbody');
  const row = list.querySelector('template').content.firstElementChild.cloneNode(true);
  added += 1;
  for (const element of [row, ...row.querySelectorAll('*')]) {
    for (const { name, value } of [...element.attributes]) {
      if (value.includes('/NEW/')) element.setAttribute(name, value.replace('/NEW/', `/new${added}/`));
    }
  }
  body.append(row);
  numberRows(list);
  focusField(row.querySelector('.f'));
  changed();
}

function removeRow(row) {
  const list = row.closest('.list');
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  numberRows(list);
  const field = next?.querySelector('.f');
  if (field) focusField(field);
  else list.querySelector('[data-add]').focus();
  changed();
}

/** Numbers are for people; what is sent keeps the names it has and closes up in order. */
function numberRows(list) {
  const rows = [...list.querySelectorAll('tbody tr')];
  for (const [index, row] of rows.entries()) {
    row.querySelector('[data-number]').textContent = String(index + 1);
    row.querySelector('[data-remove]').setAttribute('aria-label', `Remove row ${index + 1}`);
  }
  list.querySelector('[data-count]').textContent = rows.length === 1 ? '1 row' : `${rows.length} rows`;
}

// Rules, live

/** Pointers as the server sees them, which counts the rows that are there. */
function serverPointers() {
  const byServer = new Map();
  for (const field of fields()) {
    const { pointer } = field.dataset;
    const row = field.closest('tbody tr');
    const list = field.closest('[data-list]');
    if (row === null || list === null) {
      byServer.set(pointer, field);
      continue;
    }
    const index = [...list.querySelectorAll('tbody tr')].indexOf(row);
    const name = pointer
      .slice(list.dataset.list.length + 1)
      .split('/')
      .slice(1)
      .join('/');
    byServer.set(`${list.dataset.list}/${index}/${name}`, field);
  }
  return byServer;
}

const clone = (sign, label) => {
  const shape = document.querySelector(`#signs [data-sign-of="${sign}"] svg`).cloneNode(true);
  shape.setAttribute('aria-label', label);
  return shape;
};

let checking = false;
let checkAgain = false;

/** One question at a time: a long document takes a while to be looked through, and only the last answer counts. */
async function check() {
  if (checking) {
    checkAgain = true;
    return;
  }
  checking = true;
  const answer = await post('check', formData());
  checking = false;
  if (checkAgain) {
    checkAgain = false;
    check();
  } else if (answer !== null) show(answer);
}

function show(answer) {
  const { unmet, overrides, arithmetic, evidence } = answer;
  const byServer = serverPointers();
  const lists = [...form.querySelectorAll('.list')];
  const at = (pointer) => unmet.filter((problem) => problem.pointer === pointer);
  for (const [pointer, field] of byServer) {
    const found = evidence.find((place) => place.pointer === pointer);
    if (found !== undefined) placeField(field, found);
    const problems = at(pointer);
    field.classList.toggle('unmet', problems.length > 0 && field.closest('tr') === null);
    const sign = field.querySelector('[data-sign]');
    if (sign !== null) mark(sign, problems.length > 0, field.dataset.two === 'yes');
    showRules(field.querySelector('[data-rules]'), problems);
    controlOf(field)?.setAttribute('aria-invalid', String(problems.length > 0));
  }
  for (const list of lists) {
    const problems = at(list.dataset.list);
    list.classList.toggle('unmet', problems.length > 0);
    const rows = [...list.querySelectorAll('tbody tr')];
    const inRows = [];
    for (const [index, row] of rows.entries()) {
      const own = unmet.filter(({ pointer }) => `${pointer}/`.startsWith(`${list.dataset.list}/${index}/`));
      inRows.push(...own);
      row.classList.toggle('unmet', own.length > 0);
      mark(row.querySelector('[data-sign]'), own.length > 0, false);
    }
    showRules(list.querySelector('[data-rules]'), [...problems, ...inRows]);
  }
  for (const { rule, computed, holds } of arithmetic) {
    const line = document.querySelector(`[data-arithmetic="${CSS.escape(rule)}"]`);
    if (line === null) continue;
    line.querySelector('[data-computed]').textContent = computed;
    line.querySelector('[data-holds]').textContent = holds ?? '–';
    mark(
      line.querySelector('[data-sign]'),
      unmet.some((problem) => problem.rule === rule),
      false,
    );
  }
  const count = document.getElementById('unmet-count');
  const words = unmet.length === 0 ? 'every rule holds' : `${unmet.length} unmet`;
  if (count.textContent !== words) count.textContent = words;
  count.className = unmet.length === 0 ? 't-ok' : 't-person';
  showOverrides(overrides, answer.kind === 'misshapen' ? unmet : []);
  viewer?.show(marks());
}

function placeField(field, { page, start, end, printed, otherReadings }) {
  Object.assign(field.dataset, { page: String(page), start: String(start), end: String(end) });
  if (otherReadings === undefined) delete field.dataset.two;
  else field.dataset.two = 'yes';
  const place = field.querySelector('[data-printed]');
  if (place === null) return;
  const text = document.createElement('bdi');
  text.className = 'mono';
  text.textContent = printed;
  place.replaceChildren(text);
}

function mark(place, isBroken, hasTwo) {
  const [sign, label] = isBroken
    ? ['broken', 'a rule is broken']
    : hasTwo
      ? ['warning', 'can be read in two ways']
      : ['holds', 'no rule objects'];
  if (place.dataset.shown === sign) return;
  place.dataset.shown = sign;
  place.replaceChildren(clone(sign, label));
}

/** Rules that were broken stay in sight when they hold again, ticked: one sees what one's change did. */
function showRules(place, problems) {
  if (place === null) return;
  const known = new Map([...place.children].map((line) => [line.dataset.rule, line]));
  for (const { rule, message } of problems) {
    if (known.has(rule)) continue;
    const line = document.createElement('p');
    line.dataset.rule = rule;
    const name = document.createElement('code');
    name.textContent = rule;
    const text = document.createElement('bdi');
    text.dataset.message = '';
    line.append(clone('broken', 'broken:'), ' ', name, ' ', text);
    place.append(line);
    known.set(rule, line);
    text.textContent = message;
  }
  for (const [rule, line] of known) {
    const problem = problems.find((broken) => broken.rule === rule);
    line
      .querySelector('svg')
      .replaceWith(clone(problem ? 'broken' : 'holds', problem ? 'broken:' : 'holds:'));
    line.querySelector('[data-message]').textContent = problem?.message ?? 'holds now';
  }
  place.hidden = known.size === 0;
}

/** Approving waits until every unmet rule holds or is overridden by name, with a reason. */
function showOverrides(rules, misshapen) {
  const place = document.getElementById('overrides');
  if (place === null) return;
  const ticked = new Set([...place.querySelectorAll('input:checked')].map(({ value }) => value));
  const had = [...place.querySelectorAll('input')].map(({ value }) => value);
  if (had.join() !== rules.join()) {
    place.replaceChildren(
      ...rules.map((rule) => {
        const label = document.createElement('label');
        label.className = 'override-rule';
        const box = document.createElement('input');
        Object.assign(box, { type: 'checkbox', name: 'o', value: rule, checked: ticked.has(rule) });
        const words = document.createElement('span');
        const strong = document.createElement('b');
        strong.textContent = 'Override';
        const name = document.createElement('code');
        name.textContent = rule;
        words.append(strong, ' ', name, ' for this record, in my name');
        label.append(box, words);
        return label;
      }),
    );
  }
  blocked = misshapen.length > 0 ? `${nameOf(misshapen[0].pointer)}: ${misshapen[0].message}` : null;
  showApproval();
}

const nameOf = (pointer) => {
  const label = serverPointers().get(pointer)?.querySelector('label');
  return label?.textContent ?? (pointer === '' ? 'The record' : pointer);
};

let blocked = null;
const approveWord = document.getElementById('approve-word')?.textContent ?? '';

function showApproval() {
  const button = document.getElementById('approve');
  if (button === null) return;
  const boxes = [...document.querySelectorAll('#overrides input')];
  const open = boxes.find(({ checked }) => !checked);
  const lacksReason =
    boxes.some(({ checked }) => checked) && document.getElementById('note').value.trim() === '';
  const why =
    blocked ??
    (open === undefined
      ? lacksReason
        ? 'An override needs its reason'
        : null
      : `${open.value} does not hold`);
  if (why === null) button.removeAttribute('aria-disabled');
  else button.setAttribute('aria-disabled', 'true');
  const word = document.getElementById('approve-word');
  const text = why ?? approveWord;
  if (word.textContent !== text) word.textContent = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  button.title = why ?? '';
}

form.addEventListener('input', ({ target }) => {
  if (target.id === 'note' || target.name === 'o') showApproval();
});

// Drafts

let draftTimer = 0;
let checkTimer = 0;
let isDirty = false;

function changed() {
  if (!isMine) return;
  isDirty = true;
  lastActivity = Date.now();
  clearTimeout(checkTimer);
  clearTimeout(draftTimer);
  checkTimer = setTimeout(check, 220);
  draftTimer = setTimeout(keepDraft, 900);
}

async function keepDraft() {
  if (!isDirty) return;
  isDirty = false;
  const kept = await post('draft', formData());
  const place = document.getElementById('draft-state');
  if (kept === null) {
    isDirty = true;
    place.textContent = '; draft not kept yet';
    draftTimer = setTimeout(keepDraft, 5_000);
    return;
  }
  const time = document.createElement('time');
  time.dateTime = kept.at;
  time.dataset.form = 'clock';
  place.replaceChildren('; draft kept ', time);
  showTimes(place);
}

addEventListener('pagehide', () => {
  if (isDirty && isMine) navigator.sendBeacon?.(`${path}/draft`, new URLSearchParams(formData()));
});

function formData() {
  // A fieldset that was closed with the lease still holds what was typed.
  const controls = document.getElementById('controls');
  const was = controls?.disabled ?? false;
  if (controls !== null) controls.disabled = false;
  const data = new URLSearchParams(new FormData(form));
  if (controls !== null) controls.disabled = was;
  return data;
}

/** The answer, or null when there is none to use; whoever asked goes on as before. */
async function post(what, body) {
  try {
    const response = await fetch(`${path}/${what}`, {
      method: 'POST',
      body,
      headers: { accept: 'application/json' },
    });
    if (response.ok) return await response.json();
    if (response.status === 409 || response.status === 412) lookAgain();
    if (response.status === 401)
      notice('You are signed out: sign in again in another tab; what you typed is kept here.');
    return null;
  } catch {
    return null;
  }
}

// Lease

const lease = document.getElementById('lease');
let expiresAt = lease.dataset.expires === '' ? 0 : Date.parse(lease.dataset.expires);
let lastActivity = Date.now();
let warned = false;
const wholeLease = 15 * 60_000;
const soon = 2 * 60_000;

function showLease() {
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
      `Your hold on this review ends in ${minutes} minutes; extend it to go on.`;
  }
  if (left === 0) loseLease('Your hold ran out. Your draft is kept; take the review again to go on.');
  // Somebody who is at work holds on without asking for it.
  else if (left < wholeLease - 60_000 && left > soon && Date.now() - lastActivity < 60_000) extend();
}

let extending = false;

async function extend() {
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

let isLost = false;

/** Read-only from here on, with everything that was typed. */
async function loseLease(why) {
  if (isLost) return;
  isLost = true;
  expiresAt = 0;
  await keepDraft();
  document.getElementById('controls').disabled = true;
  for (const button of form.querySelectorAll('.verbs button')) button.setAttribute('aria-disabled', 'true');
  lease.classList.add('short');
  document.getElementById('lease-left').textContent = ': it ran out';
  document.getElementById('extend').hidden = true;
  document.getElementById('lease-alert').textContent = why;
  const again = document.createElement('button');
  again.type = 'submit';
  again.className = 'go';
  again.textContent = 'Take again';
  again.setAttribute('formaction', `${path}/claim`);
  again.setAttribute('form', 'review-form');
  notice(why, again);
}

document.getElementById('extend')?.addEventListener('click', extend);
for (const kind of ['pointerdown', 'keydown']) {
  document.addEventListener(kind, () => {
    lastActivity = Date.now();
  });
}

// What others do

function notice(text, ...actions) {
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

const happened = {
  decided: (by) => `${by ?? 'Somebody'} decided this review meanwhile.`,
  withdrawn: () => 'This review was withdrawn meanwhile: the document was verified, or erased.',
  renewed: () => 'Another run ended meanwhile, and its candidate is the one in question now.',
  reopened: () => 'This review was opened again meanwhile.',
};

let known = `${desk.dataset.version} ${desk.dataset.state}`;

async function lookAgain() {
  if (desk.dataset.state !== 'open') return;
  let now = null;
  try {
    const response = await fetch(`${path}/state`, { headers: { accept: 'application/json' } });
    if (!response.ok) return;
    now = await response.json();
  } catch {
    return;
  }
  const state = `${now.version} ${now.state}`;
  if (state !== known) {
    known = state;
    const compare = document.createElement('button');
    compare.type = 'submit';
    compare.setAttribute('form', 'review-form');
    compare.setAttribute('formaction', `${path}/compare`);
    compare.textContent = isMine ? 'Compare with mine' : 'Show it';
    notice((happened[now.kind] ?? (() => 'This review changed meanwhile.'))(now.by), compare);
  } else if (isMine && now.state === 'open' && now.holder === null) {
    loseLease('Your hold ran out. Your draft is kept; take the review again to go on.');
  } else if (isMine && now.holder !== null && now.leaseExpiresAt !== null && !isLost) {
    const mine = document.querySelector('main.desk').dataset.holder;
    if (mine !== now.holder) loseLease(`${now.holder} took this review over. Your draft is kept.`);
    else expiresAt = Math.max(expiresAt, Date.parse(now.leaseExpiresAt));
  }
}

document.addEventListener('pulse', lookAgain);
setInterval(lookAgain, 20_000);

// Tabs

const tabs = [...document.querySelectorAll('[role="tab"]')];

function openTab(tab, mayFocus) {
  for (const other of tabs) {
    const isOpen = other === tab;
    other.setAttribute('aria-selected', String(isOpen));
    other.tabIndex = isOpen ? 0 : -1;
    document.getElementById(other.getAttribute('aria-controls')).hidden = !isOpen;
  }
  if (mayFocus) tab.focus();
}

for (const tab of tabs) {
  tab.addEventListener('click', () => openTab(tab, false));
  tab.addEventListener('keydown', ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step !== undefined) openTab(tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length], true);
  });
}
const past = document.getElementById('past');
document.getElementById('fields').after(past);
past.replaceWith(...past.childNodes);
openTab(tabs[0], false);

// Keys

const run = {
  'not-printed': () => sayOrTakeBack('not_printed'),
  blank: () => sayOrTakeBack('blank'),
  evidence: () => current !== null && viewer?.point(current.dataset.pointer),
  attempts: () => {
    const isOpen = tabs[1].getAttribute('aria-selected') === 'true';
    openTab(tabs[isOpen ? 0 : 1], !isOpen);
    if (isOpen) focusField(current ?? fields()[0]);
  },
  override: () => (document.querySelector('#overrides input') ?? document.getElementById('note'))?.focus(),
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
  keys: () => openKeyDialog(() => showKeys(document.getElementById('keys'), (name) => run[name]())),
};

function press(command) {
  const button = form.querySelector(`[data-command="${command}"]`);
  if (button === null) return;
  form.requestSubmit(button);
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
  isDirty = false;
  clearTimeout(draftTimer);
});

document.addEventListener('keydown', (event) => {
  if (document.querySelector('dialog[open]') !== null) return;
  const key = pressed(event);
  if (key === null) return;
  const { target } = event;
  const isTyping = target.matches('input:not([type="checkbox"]), textarea');
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
      if (next !== null) focusField(next);
      else
        (
          document.querySelector('#overrides input:not(:checked)') ?? document.getElementById('approve')
        )?.focus();
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
  if (key === 'Enter' && target.id === 'note') {
    event.preventDefault();
    document.getElementById('approve')?.focus();
    return;
  }
  if (key === 'T' && !isTyping && desk.dataset.standing === 'free') {
    document.getElementById('take')?.click();
    return;
  }
  const name = Object.keys(run).find((command) => keyOf(command) === key);
  if (name === undefined || commands[name] === undefined) return;
  if (isTyping && key === '?') return;
  event.preventDefault();
  run[name]();
});

showKeys(document.getElementById('keys'), (name) => run[name]());
showLease();
setInterval(showLease, 1_000);
if (isMine) {
  // The page came with what the rules say of it; for a very long document only a change is worth asking.
  if (form.dataset.check !== undefined) show(JSON.parse(form.dataset.check));
  // Begin where a rule objects; else at the first field.
  focusField(fields().find(isUnmet) ?? fields()[0]);
} else {
  const first = fields().find(isUnmet);
  if (first !== undefined) enter(first);
}
