// Dead letters: ticking a group, or changing how it would be run again, shows at once what that would come to.

document.addEventListener('change', ({ target }) => {
  if (target.form?.id === 'choose') target.form.requestSubmit();
});
