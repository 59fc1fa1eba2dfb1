/** Every colour of the pages and drawings: on light paper and on dark. */
export const palette = {
  paper: ['#fbfaf7', '#14161a'],
  sheet: ['#ffffff', '#1a1d22'],
  ink: ['#1c1b18', '#e9e7e1'],
  'ink-2': ['#55514a', '#b7b3a9'],
  'ink-3': ['#6b675e', '#979389'],
  line: ['#e4e1d8', '#2c3037'],
  edge: ['#8a8579', '#737a85'],
  accent: ['#1f4f8b', '#8fbaf0'],
  'accent-wash': ['#e4edf9', '#1b2a40'],
  'on-accent': ['#ffffff', '#10151d'],
  evidence: ['#cfe0f6', '#27436b'],
  reading: ['#f4d798', '#6b4f17'],
  ok: ['#0b6b57', '#62c6ab'],
  'ok-fill': ['#0b6b57', '#46a48c'],
  'ok-fill-2': ['#3f8070', '#3c8c78'],
  'ok-fill-3': ['#a9cfc4', '#235a4d'],
  person: ['#875500', '#e3ae4e'],
  'person-fill': ['#b57c12', '#d3a549'],
  'person-wash': ['#f9edd2', '#33270f'],
  'person-line': ['#e0c88f', '#5d4a20'],
  dead: ['#a8321a', '#f28f72'],
  'dead-fill': ['#8f2615', '#b5573d'],
  fall: ['#5a4a8c', '#b6a7e8'],
  desk: ['#ebe8e0', '#0f1114'],
  page: ['#ffffff', '#e4e1d9'],
  shade: ['#efece4', '#1f2329'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

/**
 * The palette as CSS variables. Dark where the reader's system says so, or `data-theme` on the root; `color-scheme` on
 * any element turns it, with all that it holds, to either side.
 */
export const paletteStyle = `:root{color-scheme:light dark;${Object.entries(palette)
  .map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`)
  .join(';')}}
:root[data-theme="light"]{color-scheme:light}
:root[data-theme="dark"]{color-scheme:dark}`;
