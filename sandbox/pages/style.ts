/** The stylesheet: one column, in the light or dark scheme of the browser. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d1c1a; --soft: #66625c; --line: #e2ded7; --tint: #f1eee9;
  --accent: #0b5f6b; --accent-ink: #ffffff; --good: #1b6b3a; --bad: #a8281f; --wait: #80560a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --card: #1f1e1b; --ink: #ece8e1; --soft: #a9a39a; --line: #37342f; --tint: #2a2824;
    --accent: #6cc5d1; --accent-ink: #10191a; --good: #7fce9b; --bad: #f09a90; --wait: #e2b45f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.25rem 0.75rem; }
.top { border-bottom: 1px solid var(--line); background: var(--card); }
.top > div, main { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
.top > div { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.5rem; padding-top: 0.75rem; }
.name { font-weight: 650; margin: 0; }
.now { margin: 0 0 0 auto; color: var(--soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
nav.main { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
nav.main a, .views a { color: var(--soft); text-decoration: none; padding: 0.45rem 0; border-bottom: 2px solid transparent; }
nav.main a:hover, .views a:hover { color: var(--ink); }
nav.main a[aria-current], .views a[aria-current] { color: var(--ink); border-color: var(--accent); }
main { padding-top: 1.5rem; padding-bottom: 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.25rem; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 1.0625rem; margin: 2rem 0 0.5rem; font-weight: 650; }
h3 { font-size: 1rem; margin: 1.25rem 0 0; font-weight: 600; }
time { white-space: nowrap; }
.lead, .soft { color: var(--soft); }
.lead { margin: 0 0 1.25rem; }
small, .small { font-size: 0.875rem; }
code, pre, .mono { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; font-size: 0.875em; }
.rows { list-style: none; margin: 1rem 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.rows > li { padding: 0.7rem 1rem; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.1rem 1rem; align-items: baseline; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows .title { font-weight: 550; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.rows .side { text-align: right; color: var(--soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.rows .more { grid-column: 1 / -1; }
.pair { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.25rem 1rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 27rem; gap: 0 2.5rem; align-items: start; }
.columns form.line { margin-top: 0; flex-wrap: nowrap; } .columns select { max-width: 11rem; }
.start { grid-column: 2; grid-row: 1; } .start > summary { display: none; } .start h2 { margin: 0; } .start h3 { margin: 1rem 0 0; font-size: 0.875rem; color: var(--soft); }
.start .rows { margin: 0.5rem 0 1rem; } .start .rows > li { display: block; padding: 0.4rem 0.5rem 0.4rem 0.9rem; }
.copies { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.4rem 0.5rem; }
.rows .copies { flex-wrap: nowrap; line-height: 1.35; }
.command { margin-bottom: 1.75rem; }
.command pre { flex-basis: 100%; border-top: 1px solid var(--line); border-radius: 8px; padding: 0.7rem 0.85rem; font-size: 0.71875rem; }
.command code { font-size: inherit; }
.copy { display: none; font-size: 0.8125rem; min-height: 1.75rem; padding: 0.1rem 0.6rem; color: var(--soft); }
.js .copy { display: block; } .js .no-script { display: none; }
summary { cursor: pointer; color: var(--soft); padding: 0.35rem 0; }
.live { color: var(--good); margin-right: 0.75rem; font-weight: 550; } .live.bad { color: var(--bad); } .live:empty { margin: 0; }
@keyframes arrive { from { background: var(--tint); box-shadow: inset 3px 0 var(--accent); } }
@media (prefers-reduced-motion: no-preference) { .new { animation: arrive 1.5s ease-out; } }
.grow { flex: 1 1 14rem; }
.empty { border: 1px dashed var(--line); border-radius: 8px; padding: 1.5rem 1rem; color: var(--soft); }
.state { white-space: nowrap; font-size: 0.875rem; font-weight: 550; color: var(--soft); }
.state::before { content: ""; display: inline-block; width: 0.5em; height: 0.5em; border-radius: 50%; background: currentColor; margin-right: 0.4em; vertical-align: 0.1em; }
.good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.2rem 1.25rem; margin: 1rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
.views { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border-bottom: 1px solid var(--line); margin-top: 1.5rem; }
.views a { margin-bottom: -1px; }
.frame { height: 32rem; max-height: 75vh; resize: vertical; overflow: hidden; border: 1px solid var(--line); border-top: 0; border-radius: 0 0 8px 8px; background: #fff; }
iframe { display: block; width: 100%; height: 100%; border: 0; background: #fff; color-scheme: light; }
pre { margin: 0; padding: 1rem; max-height: 75vh; overflow: auto; white-space: pre-wrap; background: var(--card); border: 1px solid var(--line); border-top: 0; border-radius: 0 0 8px 8px; unicode-bidi: plaintext; }
form.line { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: end; margin: 1rem 0; }
form.inline { display: inline; }
label { display: grid; gap: 0.15rem; font-size: 0.875rem; color: var(--soft); }
input, select, button { font: inherit; font-size: 1rem; line-height: 1.5; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.35rem 0.7rem; min-height: 2.4rem; max-width: 100%; }
label.check { display: flex; align-items: center; gap: 0.4rem; min-height: 2.4rem; }
.check input { width: 1.1rem; min-height: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--accent); }
.failure:has([name="failure"]) .for-limit, .failure:has([name="failure"]) .for-delay { display: none; }
.failure:has(option[value="429"]:checked) .for-limit, .failure:has(option[value="delay"]:checked) .for-delay { display: grid; }
button { cursor: pointer; }
button:hover { background: var(--tint); }
button.chief { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
button.harm { color: var(--bad); }
h1 + .notice { margin-top: 1rem; }
.notice { border-left: 3px solid var(--accent); background: var(--tint); padding: 0.5rem 1rem; margin: 0 0 1.25rem; }
.notice.bad { border-color: var(--bad); color: inherit; }
.big { font-size: 1.75rem; font-variant-numeric: tabular-nums; margin: 0.5rem 0; }
@media (max-width: 62rem) {
  .columns { grid-template-columns: minmax(0, 1fr); } .start { grid-column: 1; margin-bottom: 1rem; }
  .start > summary { display: list-item; color: var(--accent); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.6rem 0.75rem; } .start[open] > summary { margin-bottom: 0.5rem; }
}
@media (max-width: 34rem) {
  .rows > li { padding: 0.7rem 0.75rem; display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; }
  .rows > li > .title, .rows > li > .small, .rows > li > .more { flex-basis: 100%; }
  .rows > li > .small { order: 1; } .rows > li > .side { order: 2; } .rows > li > .side:has(form) { order: 3; margin-left: auto; } .rows > li > .more { order: 4; }
  .columns form.line { flex-wrap: wrap; } .columns select { max-width: none; } .copy { min-height: 2.75rem; }
  form.line label { flex: 1 1 12rem; min-width: 0; } form.line label:not(.check) input, form.line select { width: 100%; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: 0.5rem; }
  .now { font-size: 0.8125rem; }
  nav.main { flex: 0 0 calc(100% + 2rem); flex-wrap: nowrap; gap: 0 1.1rem; overflow-x: auto; margin: 0 -1rem; padding: 0 2rem 0 1rem; scrollbar-width: none; white-space: nowrap; mask-image: linear-gradient(to right, #000 calc(100% - 2rem), transparent); }
  button, input, select, nav.main a, .views a { min-height: 2.75rem; } nav.main a, .views a { display: inline-flex; align-items: center; }
}
`;
