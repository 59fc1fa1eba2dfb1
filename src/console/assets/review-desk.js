// What the parts of the review screen share: its elements, and how they stand.

export const desk = document.querySelector('main.desk');
export const form = document.getElementById('review-form');
export const path = `/console/reviews/${desk.dataset.review}`;
export const isMine = desk.dataset.standing === 'mine';

/** Tells whoever keeps drafts, asks rules or holds the lease that a value is another one now. */
export function edited() {
  if (isMine) form.dispatchEvent(new CustomEvent('edited'));
}

/** A shape as the server draws it, said aloud as `label`. */
export function signOf(sign, label) {
  const shape = document.querySelector(`#signs [data-sign-of="${sign}"] svg`).cloneNode(true);
  shape.setAttribute('aria-label', label);
  return shape;
}
