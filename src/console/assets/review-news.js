// What others do to the review meanwhile: asked for when the server tells of news, and now and then in any case.

import { desk, isMine, path } from './review-desk.js';
import { heldUntil, loseLease } from './review-lease.js';
import { notice } from './review-notice.js';

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
    loseLease(null);
  } else if (isMine && now.holder !== null && now.leaseExpiresAt !== null) {
    if (desk.dataset.holder === now.holder) heldUntil(now.leaseExpiresAt);
    else loseLease(now.holder);
  }
}

for (const news of ['pulse', 'outdated']) document.addEventListener(news, lookAgain);
setInterval(lookAgain, 20_000);
