// The rules, run by the server at each change, and shown beside what they object to.

import { showOverrides, showStands } from './review-approval.js';
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

/** Shows an answer; the page brings the first one with it. */
export function show(answer) {
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
  showStands(answer.stands);
  showOverrides(overrides, answer.kind === 'misshapen' ? unmet : []);
  showPlaces();
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
  place.replaceChildren(signOf(sign, label));
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
    line.append(signOf('broken', 'broken:'), ' ', name, ' ', text);
    place.append(line);
    known.set(rule, line);
    text.textContent = message;
  }
  for (const [rule, line] of known) {
    const problem = problems.find((broken) => broken.rule === rule);
    line
      .querySelector('svg')
      .replaceWith(signOf(problem ? 'broken' : 'holds', problem ? 'broken:' : 'holds:'));
    line.querySelector('[data-message]').textContent = problem?.message ?? 'holds now';
  }
  place.hidden = known.size === 0;
}
