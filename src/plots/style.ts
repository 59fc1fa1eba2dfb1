/**
 * The colours of every page and drawing as CSS variables: light, and dark where the reader's system or `data-theme` on
 * the root says so. Text keeps a contrast of 4.6 or more on paper, marks 3 or more.
 */
export const paletteStyle = (() => {
  const light = `--paper:#fbfaf7;--sheet:#ffffff;--ink:#1c1b18;--ink-2:#55514a;--ink-3:#6b675e;--edge:#8a8579;
--hairline:#e3e0d8;--shade:#f0eee8;--wash:#e4ecf7;--accent:#1f4f8b;--ok:#0b6b57;--person:#875500;--dead:#a8321a;
--fall:#5a4a8c;--ok-fill:#0b6b57;--ok-fill-2:#3c7f6e;--ok-fill-3:#a5cbbf;--person-fill:#b57c12;--dead-fill:#8f2615`;
  const dark = `--paper:#14161a;--sheet:#1a1d22;--ink:#e9e7e1;--ink-2:#b7b3a9;--ink-3:#979389;--edge:#737a85;
--hairline:#2c3037;--shade:#1e2127;--wash:#1d2b3f;--accent:#8fbaf0;--ok:#62c6ab;--person:#e3ae4e;--dead:#f28f72;
--fall:#b6a7e8;--ok-fill:#46a48c;--ok-fill-2:#3a8270;--ok-fill-3:#24493f;--person-fill:#d3a549;--dead-fill:#b5573d`;
  return `:root{${light};color-scheme:light dark}
:root[data-theme="dark"]{${dark}}
@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark}}}`;
})();

/** How drawings look: classes only, so that a strict content security policy lets them be. Needs the palette. */
export const plotStyle = `.plot{display:block;overflow:visible}
.plot-text{font:400 11.5px -apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;fill:var(--ink-3);font-variant-numeric:tabular-nums lining-nums}
.plot-strong{fill:var(--ink);font-weight:600}
.plot-second{fill:var(--ink-2)}
.plot-on{fill:var(--paper);font-weight:600}
.plot-mono{font-family:ui-monospace,"DejaVu Sans Mono","Liberation Mono",monospace;fill:var(--ink)}
.plot-grid{stroke:var(--hairline);stroke-width:1}
.plot-endstop{stroke:var(--ink);stroke-width:3}
.plot-shade{fill:var(--shade)}
.plot-series{fill:none;stroke:var(--accent);stroke-width:2;stroke-linejoin:round}
.plot-series-ink{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-linejoin:round}
.plot-series-edge{fill:none;stroke:var(--edge);stroke-width:1.25;stroke-linejoin:round}
.plot-beyond{fill:none;stroke:var(--edge);stroke-width:1.25;stroke-dasharray:3 3}
.plot-area{fill:var(--wash)}
.plot-bar{fill:var(--edge)}
.plot-bar-ink{fill:var(--ink)}
.plot-bar-accent{fill:var(--accent)}
.plot-dot{fill:var(--accent);stroke:var(--paper);stroke-width:1}
.plot-dot-ink{fill:var(--ink);stroke:var(--paper);stroke-width:1}
.plot-dot-edge{fill:var(--edge);stroke:var(--paper);stroke-width:1}
.plot-hollow{fill:var(--paper);stroke:var(--edge);stroke-width:1.25}
.plot-open{fill:var(--paper);stroke:var(--ink);stroke-width:1.25}`;
