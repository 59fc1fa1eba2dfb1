import { element, escaped } from '../plots/markup.js';
import { paletteStyle } from '../plots/palette.js';
import { plotStyle } from '../plots/style.js';

/** A section with what its numbers are in at the right end of its head; `body` is markup. */
export function section(title: string, scope: string, ...body: readonly string[]): string {
  const head = `${element('h2', {}, escaped(title))}${element('span', { class: 'scope' }, escaped(scope))}`;
  return element('section', {}, element('header', {}, head), ...body);
}

/** Texts are escaped here; a cell of the first column stands left, the others right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (name: 'th' | 'td', texts: readonly string[]) =>
    texts.map((text) => element(name, name === 'th' ? { scope: 'col' } : {}, escaped(text))).join('');
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, cells('th', heads))),
    element('tbody', {}, rows.map((row) => element('tr', {}, cells('td', row))).join('')),
  );
}

/** Titles and values; texts are escaped here. */
export function facts(entries: readonly (readonly [title: string, value: string])[]): string {
  const rows = entries.map(([title, value]) =>
    element('tr', {}, element('th', { scope: 'row' }, escaped(title)), element('td', {}, escaped(value))),
  );
  return element('table', { class: 'facts' }, element('tbody', {}, ...rows));
}

export function note(text: string): string {
  return element('p', { class: 'note' }, escaped(text));
}

const style = `${paletteStyle}
${plotStyle}
.plot{max-width:100%;height:auto}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:400 13.5px/1.45 -apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;font-variant-numeric:tabular-nums lining-nums}
main{max-width:1176px;margin:0 auto;padding:24px}
h1{font:600 24px/1.2 Charter,"Charis SIL","Sitka Text",Cambria,"Noto Serif",Georgia,serif;margin:0 0 4px}
h2{font-size:13.5px;font-weight:600;margin:0}
p{margin:0 0 8px}
.lead{font:400 16px/1.45 Charter,"Charis SIL","Sitka Text",Cambria,"Noto Serif",Georgia,serif;max-width:46em;margin:12px 0 0}
.scope,.note,th{color:var(--ink-3);font-weight:400}
.note{font-size:12px;margin:8px 0 0}
.head{border-bottom:1px solid var(--ink);padding-bottom:12px}
.figure{font-size:34px;font-weight:600;line-height:1.2;margin:16px 0 0;color:var(--ok)}
.grid{display:grid;grid-template-columns:1fr 1fr;gap:0 32px}
section{margin:24px 0 0;border-top:1px solid var(--ink);padding-top:8px;min-width:0}
section header{display:flex;justify-content:space-between;gap:12px;margin-bottom:8px}
.scope{font-size:12px;text-align:right}
table{border-collapse:collapse;width:100%;margin-top:8px;font-size:12px}
th,td{padding:4px 0 4px 12px;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
th:first-child,td:first-child{text-align:left;padding-left:0}
.facts td{color:var(--ink)}
.facts th{white-space:nowrap}
.warn{color:var(--person)}
@media (max-width:900px){.grid{grid-template-columns:1fr}main{padding:14px}}
@media print{main{max-width:none}section{break-inside:avoid}}`;

/** A whole document that asks nobody for anything: no script, no font, no picture from elsewhere. */
export function page(title: string, ...body: readonly string[]): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const head = [
    element('meta', { charset: 'utf-8' }),
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, escaped(title)),
    element('style', {}, style),
  ].join('\n');
  return `<!doctype html>\n<html lang="en">\n<head>\n${head}\n</head>\n<body>\n<main>\n${body.join('\n')}\n</main>\n</body>\n</html>\n`;
}
