// The planner follows its sliders: the page is asked for with their values, and its figures take the place of the old
// ones. Without this script the same form has a button.

const form = document.getElementById('plan-form');
let asked = 0;
let timer = 0;

function say({ target }) {
  const output = target.closest('label')?.querySelector('output');
  if (output !== null && output !== undefined)
    output.textContent = Number(target.value).toLocaleString('en-GB');
}

async function draw() {
  asked += 1;
  const mine = asked;
  const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
  try {
    const response = await fetch(address, { headers: { accept: 'text/html' } });
    if (!response.ok || mine !== asked) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('plan');
    if (fresh === null || mine !== asked) return;
    document.getElementById('plan').replaceWith(fresh);
    history.replaceState(null, '', address);
  } catch {
    // The figures stay as they are; the next move asks again.
  }
}

form.addEventListener('input', (event) => {
  say(event);
  clearTimeout(timer);
  timer = setTimeout(draw, 90);
});
form.addEventListener('change', ({ target }) => {
  // Another scenario brings its own values for every slider.
  if (target.name === 'scenario')
    location.assign(`${form.action}?scenario=${encodeURIComponent(target.value)}`);
});
