// Two tabs in which one person holds the same review show the same form: what is typed in one stands in the other at once,
// since each keeps the whole form as the draft, and would keep it without the other's words.

import { desk, edited, form } from './review-desk.js';
import { keepNothing } from './review-draft.js';
import { notice } from './review-notice.js';
import { formNow, put, unsentNow } from './review-unsent.js';

const { review, version, holder } = desk.dataset;
const twins = new BroadcastChannel(`endstop.review.${review}.${version}.${holder}`);
/** Rows are told apart by their place: their numbers differ between a page that removed some and one that was read anew. */
const shapeOf = (all) => [...all.keys()].map((name) => name.replaceAll(/\/\d+(?=\/|$)/g, '/*')).join(' ');
const valuesOf = (all, wanted) =>
  [...all]
    .map(([name, value], place) => ({ name, value, place }))
    .filter(({ name, value }) => wanted(name, value));

/** The form as the other tabs have it. */
let shared = formNow();
/** Rows came or went elsewhere: values of this form have no place there any more. */
let isApart = false;

/** Tells what is another value than it was. */
function tell() {
  if (isApart) return;
  const now = formNow();
  const changed = valuesOf(now, (name, value) => shared.get(name) !== value);
  const hasSameRows = shapeOf(now) === shapeOf(shared);
  shared = now;
  if (changed.length > 0 || !hasSameRows) twins.postMessage({ shape: shapeOf(now), changed });
}

twins.addEventListener('message', ({ data: { isNew, shape, changed } }) => {
  if (isApart) return;
  if (shape === shapeOf(formNow())) take(changed);
  else if (!isNew) part();
  // A tab that has just been opened may have come before the last words were kept here.
  if (isNew) twins.postMessage({ shape: shapeOf(formNow()), changed: valuesOf(formNow(), () => true) });
});

function take(changed) {
  const now = [...formNow()];
  const news = changed.filter(({ place, value }) => now[place][1] !== value);
  for (const { place, value } of news) put(now[place][0], value);
  shared = formNow();
  if (news.length > 0) edited();
}

/** This tab keeps nothing from now on, so that the other's rows stay. */
function part() {
  isApart = true;
  keepNothing();
  const again = document.createElement('button');
  again.type = 'button';
  again.textContent = 'Show them';
  again.addEventListener('click', () => location.reload());
  notice('Rows were added or removed in another tab of yours.', again);
}

/** Begins to tell; says what this tab alone has, and is answered with what the others have. */
export function joinTwins() {
  form.addEventListener('edited', tell);
  shared = formNow();
  const unsent = new Map(unsentNow());
  twins.postMessage({
    isNew: true,
    shape: shapeOf(shared),
    changed: valuesOf(shared, (name) => unsent.has(name)),
  });
}
