// The rules, run by the server at each change, and shown beside what they object to.

import { nameOf, showOverrides, showStands } from './review-approval.js';
import { form, signOf } from './review-desk.js';
import { controlOf, showPlaces } from './review-fields.js';
import { serverPointers } from './review-rows.js';
import { formData, post } from './review-server.js';

let timer = 0;

form.addEventListener('edited', () => {
  clearTimeout(timer);
  timer = setTimeout(check, 220);
});

let checking = false;
let checkAgain = false;

/** One question at a time: a long document takes a while to be looked through, and only the last answer counts. */
export async function check() {
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

/** What rules objected to when they were last asked. */
let before = [];

/** Shows an answer; the page brings the first one with it. */
export function show(answer) {
  const { unmet, overrides, arithmetic, evidence } = answer;
  // As long as a field is missing or misshapen no rule is asked: what objected before is as open as it was.
  const isAsked = answer.kind !== 'misshapen';
  before = isAsked ? unmet : (answer.before ?? before);
  const unasked = isAsked
    ? []
    : before.filter(
        (was) => !unmet.some(({ rule, pointer }) => rule === was.rule && pointer === was.pointer),
      );
  const others = isAsked ? 'holds now' : `not checked yet: first ${mending(unmet[0])}`;
  const byServer = serverPointers();
  const lists = [...form.querySelectorAll('.list')];
  const at = (pointer) => unmet.filter((problem) => problem.pointer === pointer);
  for (const [pointer, field] of byServer) {
    const found = evidence.find((place) => place.pointer === pointer);
    if (found !== undefined) placeField(field, found);
    const problems = at(pointer);
    field.classList.toggle('unmet', problems.length > 0 && field.closest('tr') === null);
    const sign = field.querySelector('[data-sign]');
    if (sign !== null)
      mark(sign, {
        isEmpty: isEmpty(field),
        isBroken: problems.length > 0,
        hasTwo: field.dataset.two === 'yes',
        isAsked,
      });
    showRules(field.querySelector('[data-rules]'), problems, others);
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
      const cells = [...row.querySelectorAll('.f.cell')];
      mark(row.querySelector('[data-sign]'), {
        isEmpty: cells.every(isEmpty),
        isBroken: own.length > 0,
        isAsked,
      });
    }
    showRules(list.querySelector('[data-rules]'), [...problems, ...inRows], others);
  }
  for (const { rule, computed, holds } of arithmetic) {
    const line = document.querySelector(`[data-arithmetic="${CSS.escape(rule)}"]`);
    if (line === null) continue;
    line.querySelector('[data-computed]').textContent = grouped(computed);
    line.querySelector('[data-holds]').textContent = holds === null ? '–' : grouped(holds);
    mark(line.querySelector('[data-sign]'), {
      isBroken: unmet.some((problem) => problem.rule === rule),
      isAsked,
    });
  }
  const count = document.getElementById('unmet-count');
  const words =
    unmet.length === 0
      ? 'every rule holds'
      : `${unmet.length + unasked.length} unmet${isAsked ? '' : `, ${unasked.length === 0 ? 'rules' : `${unasked.length} of them`} not checked yet`}`;
  if (count.textContent !== words) count.textContent = words;
  count.className = unmet.length === 0 ? 't-ok' : 't-person';
  showStands(answer.stands);
  showOverrides(overrides, answer.kind === 'misshapen' ? unmet : []);
  showPlaces();
}

/** An amount as the page has it from the server: 1,204.375. */
const grouped = (amount) =>
  /^-?\d+(\.\d+)?$/.test(amount) ? amount.replaceAll(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',') : amount;

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

/** What is in the way of the rules, as something to do. */
function mending({ pointer }) {
  const field = serverPointers().get(pointer);
  return `${field !== undefined && isEmpty(field) ? 'fill in' : 'correct'} ${nameOf(pointer)}`;
}

/** Neither a value nor one of the honest absences. */
function isEmpty(field) {
  const said = field.querySelector('.control')?.dataset.said;
  return said !== 'blank' && said !== 'not_printed' && controlOf(field)?.value.trim() === '';
}

function mark(place, { isEmpty = false, isBroken, hasTwo = false, isAsked }) {
  const [sign, label] = isEmpty
    ? ['unread', 'not read']
    : isBroken
      ? ['broken', 'a rule is broken']
      : hasTwo
        ? ['warning', 'can be read in two ways']
        : isAsked
          ? ['holds', 'no rule objects']
          : ['unread', 'not checked yet'];
  if (place.dataset.shown === label) return;
  place.dataset.shown = label;
  place.replaceChildren(signOf(sign, label));
}

/** Rules that were broken stay in sight when they hold again, ticked: one sees what one's change did. */
function showRules(place, problems, others) {
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
    line.append(signOf('broken', 'broken:'), ' ', name, ' ', text);
    place.append(line);
    known.set(rule, line);
    text.textContent = message;
  }
  for (const [rule, line] of known) {
    const problem = problems.find((broken) => broken.rule === rule);
    const [sign, label] = problem
      ? ['broken', 'broken:']
      : others === 'holds now'
        ? ['holds', 'holds:']
        : ['unread', 'not checked:'];
    line.querySelector('svg').replaceWith(signOf(sign, label));
    line.querySelector('[data-message]').textContent = problem?.message ?? others;
  }
  place.hidden = known.size === 0;
}
