/** How drawings look: classes only, so that a strict content security policy lets them be. Needs the palette. */
export const plotStyle = `.plot{display:block;overflow:visible}
.plot-text{font:400 11.5px -apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;fill:var(--ink-3);font-variant-numeric:tabular-nums lining-nums}
.plot-strong{fill:var(--ink);font-weight:600}
.plot-second{fill:var(--ink-2)}
.plot-on{fill:var(--paper);font-weight:600}
.plot-mono{font-family:ui-monospace,"Cascadia Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;fill:var(--ink)}
.plot-grid{stroke:var(--line);stroke-width:1}
.plot-endstop{stroke:var(--ink);stroke-width:3}
.plot-shade{fill:var(--shade)}
.plot-series{fill:none;stroke:var(--accent);stroke-width:2;stroke-linejoin:round}
.plot-series-ink{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-linejoin:round}
.plot-series-edge{fill:none;stroke:var(--edge);stroke-width:1.25;stroke-linejoin:round}
.plot-beyond{fill:none;stroke:var(--edge);stroke-width:1.25;stroke-dasharray:3 3}
.plot-area{fill:var(--accent-wash)}
.plot-bar{fill:var(--edge)}
.plot-bar-ink{fill:var(--ink)}
.plot-bar-accent{fill:var(--accent)}
.plot-dot{fill:var(--accent);stroke:var(--paper);stroke-width:1}
.plot-dot-ink{fill:var(--ink);stroke:var(--paper);stroke-width:1}
.plot-dot-edge{fill:var(--edge);stroke:var(--paper);stroke-width:1}
.plot-hollow{fill:var(--paper);stroke:var(--edge);stroke-width:1.25}
.plot-open{fill:var(--paper);stroke:var(--ink);stroke-width:1.25}`;
