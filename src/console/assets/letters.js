// Dead letters: ticking a group shows at once what running it again would come to.

function look() {
  const choose = document.getElementById('choose');
  if (choose === null) return;
  const words = new URLSearchParams(new FormData(choose));
  for (const control of document.querySelectorAll('[data-redrive] [data-again]')) {
    words.set(control.dataset.again, control.value);
  }
  for (const [name, value] of [...words]) if (value === '') words.delete(name);
  location.assign(`${choose.action}?${words}`);
}

document.addEventListener('change', ({ target }) => {
  if (target.matches('#choose input[type="checkbox"], [data-redrive] [data-again]')) look();
});
