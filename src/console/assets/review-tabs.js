// Fields, attempts and history of a review, one at a time.

const tabs = [...document.querySelectorAll('[role="tab"]')];

export const isOpen = (index) => tabs[index].getAttribute('aria-selected') === 'true';

export function openTab(index, mayFocus) {
  for (const other of tabs) {
    const isThis = other === tabs[index];
    other.setAttribute('aria-selected', String(isThis));
    other.tabIndex = isThis ? 0 : -1;
    document.getElementById(other.getAttribute('aria-controls')).hidden = !isThis;
  }
  if (mayFocus) tabs[index].focus();
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener('click', () => openTab(index, false));
  tab.addEventListener('keydown', ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step !== undefined) openTab((index + step + tabs.length) % tabs.length, true);
  });
}

// Without a script they stand below the form.
const past = document.getElementById('past');
document.getElementById('fields').after(past);
past.replaceWith(...past.childNodes);
openTab(0, false);
