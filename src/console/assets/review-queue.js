// The queue: "t" takes the first free review, "?" shows the keys that decide it.

import { openKeyDialog } from './review-keys.js';

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  if (ctrlKey || altKey || metaKey || document.querySelector(':is(dialog[open], :popover-open)') !== null)
    return;
  if (target.closest('input, select, textarea') !== null) return;
  if (key === '?') openKeyDialog(() => {});
  else if (key.toLowerCase() === 't') document.getElementById('take-first')?.click();
  else return;
  event.preventDefault();
});
