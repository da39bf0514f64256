/** The styles of the panel's shadow root, as a constructed style sheet, which no content security policy forbids. */

const css = `
:host { display: block; }
* { box-sizing: border-box; }
.panel {
  --ground: #f6f5f1; --surface: #fff; --ink: #14181b; --soft: #4c5457; --line: #dcd9d0; --strong: #7a7f80;
  --accent: #1f45b8; --accent-ink: #fff; --good: #0d7048; --warn: #7d4e00; --bad: #b3261e;
  display: grid; gap: 0.75rem; padding: 0.25rem 0;
  font: 1rem/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  color: var(--ink);
}
@supports (color: light-dark(#000, #fff)) {
  .panel {
    --ground: light-dark(#f6f5f1, #101417); --surface: light-dark(#fff, #1a2024); --ink: light-dark(#14181b, #f3f3ef);
    --soft: light-dark(#4c5457, #b6bdbf); --line: light-dark(#dcd9d0, #2e363b); --strong: light-dark(#7a7f80, #7f898d);
    --accent: light-dark(#1f45b8, #a9bdff); --accent-ink: light-dark(#fff, #0a1436); --good: light-dark(#0d7048, #5fd39a);
    --warn: light-dark(#7d4e00, #f0b54a); --bad: light-dark(#b3261e, #ff8a7d);
  }
}
h2, h3, p, dl, dd, ul, pre { margin: 0; }
h2 { display: inline; font-size: 1.0625rem; }
h3 { margin-top: 0.5rem; font-size: 1rem; }
p:empty, .file:empty, .actions:empty { display: none; }
.section { border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface); padding: 0 1rem; }
.section[open] { padding-bottom: 1rem; }
.section > :not(summary) { margin-top: 0.5rem; }
summary { min-height: 3rem; padding: 0.5rem 0; cursor: pointer; }
.section > summary { display: flex; align-items: center; gap: 0.5rem; }
.section > summary::before { content: '▸' / ''; color: var(--soft); }
.section[open] > summary::before { content: '▾' / ''; }
.section > summary::-webkit-details-marker { display: none; }
:is(summary, button, select, input, pre):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.soft { color: var(--soft); }
.bad { color: var(--bad); font-weight: 600; }
.number { font-variant-numeric: tabular-nums; }
code, pre { font: 0.875rem/1.45 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { max-height: 20rem; margin: 0.25rem 0 0.75rem; padding: 0.75rem; overflow: auto; white-space: pre-wrap; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; }
dl > div { display: grid; grid-template-columns: minmax(9rem, 16rem) 1fr; gap: 0.125rem 1rem; padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
dl > div:last-child { border-bottom: 0; }
dt { color: var(--soft); }
dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
ul { list-style: none; padding: 0; }
.rows > li { border-bottom: 1px solid var(--line); }
.rows > li:last-child { border-bottom: 0; }
.rows summary > *, .lines > li > * { display: inline-block; margin-right: 0.625rem; overflow-wrap: anywhere; }
.lines > li { padding: 0.5rem 0; }
.requests > li { padding: 0.25rem 0 0.25rem 1rem; }
.tag { padding: 0 0.5rem; border: 1px solid var(--strong); border-radius: 1rem; font-size: 0.875rem; }
.tag-pending, .tag-forwarded { color: var(--warn); border-color: currentColor; }
.tag-refused { color: var(--bad); border-color: currentColor; }
.tag-receipt { color: var(--good); border-color: currentColor; }
del { color: var(--bad); }
ins { color: var(--good); text-decoration: none; }
.field { display: grid; gap: 0.25rem; }
label.check { display: flex; align-items: center; gap: 0.75rem; min-height: 3rem; cursor: pointer; }
.check input { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent); }
select, button { min-height: 3rem; padding: 0.5rem 1rem; border: 1px solid var(--strong); border-radius: 0.5rem; background: var(--surface); color: inherit; font: inherit; }
select { width: 100%; max-width: 30rem; }
button { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); font-weight: 600; cursor: pointer; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
@media (max-width: 30rem) {
  .section { padding-inline: 0.75rem; }
  dl > div { grid-template-columns: 1fr; }
}
`;

export function createStyles(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
