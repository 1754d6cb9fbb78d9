import { verdictLabels } from "./html-requirement.ts";

const filters = ["decided", ...Object.values(verdictLabels).map(({ name }) => name)]
  .map(
    (name) =>
      `body:has(#show-${name}:checked) article:not(.${name}), body:has(#show-${name}:checked) section.topic:not(:has(article.${name})) { display: none; }`,
  )
  .join("\n");

/** The style of the page, for light and dark colour schemes, narrow screens and print. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d1c1a; --soft: #66625c; --line: #e2ded7; --tint: #f3f0eb;
  --accent: #0b5f6b; --pass: #1b6b3a; --pass-fill: #b9d8c4; --fail: #a8281f; --warn: #80560a; --warn-fill: #ecd9ad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --card: #1f1e1b; --ink: #ece8e1; --soft: #a9a39a; --line: #37342f; --tint: #2a2824;
    --accent: #6cc5d1; --pass: #7fce9b; --pass-fill: #2f5a41; --fail: #f09a90; --warn: #e2b45f; --warn-fill: #5c4a22;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible, label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.top, main, .bar > div { max-width: 66rem; margin: 0 auto; padding: 0 1.25rem; }
.top { padding-top: 2rem; padding-bottom: 1.25rem; }
.name { margin: 0 0 0.35rem; color: var(--soft); font-size: 0.875rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0.15rem 0 0.4rem; font-weight: 650; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.1875rem; margin: 2.75rem 0 0.75rem; font-weight: 650; letter-spacing: -0.005em; }
h2 .soft { font-weight: 400; font-size: 0.875rem; margin-left: 0.5rem; letter-spacing: 0; }
.badge { margin-left: 0.4rem; padding: 0.15rem 0.55rem; border-radius: 4px; color: #fff; background: #1b6b3a; font-weight: 650; white-space: nowrap; font-variant-numeric: tabular-nums; }
.badge.fail { background: #a8281f; } .badge.warning { background: #80560a; }
.facts { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0.1rem 1.25rem; color: var(--soft); font-size: 0.9375rem; }
.also { margin: 0 0 0.6rem; font-size: 1.0625rem; }
.means { margin: 0.5rem 0 0; }
.soft { color: var(--soft); }
.bar { position: sticky; top: 0; z-index: 1; background: var(--card); border-block: 1px solid var(--line); }
.bar > div { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 0.75rem; padding-block: 0.5rem; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem; min-width: 0; }
legend, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bar label.choice { display: inline-flex; align-items: baseline; gap: 0.4rem; padding: 0.3rem 0.6rem; border: 1px solid transparent; border-radius: 6px; cursor: pointer; font-size: 0.9375rem; position: relative; }
.bar label.choice:hover { background: var(--tint); }
.bar label.choice:has(:checked) { background: var(--tint); border-color: var(--line); font-weight: 600; }
.bar input[type="radio"] { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.count { font-variant-numeric: tabular-nums; }
.bar .count { font-weight: 650; }
.find { margin-left: auto; display: flex; align-items: center; gap: 0.6rem; }
.find[hidden] { display: none; }
#shown:empty { display: none; }
#shown { color: var(--soft); font-size: 0.875rem; white-space: nowrap; }
input[type="search"] { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.7rem; width: 11rem; max-width: 100%; }
main { padding-bottom: 5rem; }
.numbers { border-collapse: collapse; min-width: min(100%, 28rem); margin-bottom: 1rem; }
.numbers th, .numbers td { text-align: right; font-weight: 400; padding: 0.32rem 0 0.32rem 1.5rem; font-variant-numeric: tabular-nums; }
.numbers th:first-child { text-align: left; padding-left: 0; } .numbers tr + tr > *, .numbers tbody > tr > * { border-top: 1px solid var(--line); }
.numbers thead th { color: var(--soft); } .numbers tbody tr:last-child > * { font-weight: 600; }
.map { width: 100%; border-collapse: collapse; }
.map th, .map td { text-align: left; font-weight: 400; padding: 0.32rem 0; vertical-align: top; }
.map tr + tr > * { border-top: 1px solid var(--line); }
.map th { width: 9rem; padding-right: 0.5rem; } .map td:last-child { width: 8rem; text-align: right; font-variant-numeric: tabular-nums; color: var(--soft); font-size: 0.9375rem; }
.squares { display: flex; flex-wrap: wrap; gap: 3px; padding-top: 0.2rem; }
.squares a, .squares span { width: 1.05rem; height: 1.05rem; border-radius: 3px; display: grid; place-items: center; font-size: 0.6875rem; font-weight: 700; line-height: 1; text-decoration: none; color: var(--card); background: var(--pass-fill); }
.squares a:hover { outline: 2px solid var(--ink); outline-offset: 1px; }
.squares .fail, .squares .error { background: var(--fail); }
.squares .expected, .squares .unverified { background: var(--warn-fill); color: var(--warn); }
.squares .outside { background: none; border: 1px solid var(--line); }
.legend { margin: 0.9rem 0 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.25rem; font-size: 0.875rem; color: var(--soft); }
.legend li { display: flex; gap: 0.4rem; align-items: center; } .legend .squares { padding: 0; } .legend strong { font-weight: 600; color: var(--ink); }
.groups summary { cursor: pointer; width: fit-content; max-width: 100%; }
.groups { margin: 0; padding: 0; list-style: none; }
.groups li { padding: 0.4rem 0; } .groups li + li { border-top: 1px solid var(--line); }
.groups .ids { font-size: 0.9375rem; color: var(--soft); }
.groups .ids a { white-space: nowrap; }
article { padding: 0.8rem 1rem; border-top: 1px solid var(--line); border-left: 3px solid transparent; margin-inline: -1.1875rem -1rem; }
article.fail, article.error { border-left-color: var(--fail); }
article.expected, article.unverified { border-left-color: var(--warn); }
article:target { background: var(--tint); }
h3 { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; font-size: 0.875rem; margin: 0; font-weight: 600; }
h3 a.docs { color: var(--accent); font-weight: 400; text-decoration: underline; }
h3 a:not(.docs) { color: inherit; text-decoration: none; } h3 a:hover { text-decoration: underline; }
h4 { font-size: 0.9375rem; margin: 0 0 0.25rem; font-weight: 600; }
.text { margin: 0.1rem 0 0.3rem; max-width: 46rem; }
.outside .text { color: var(--soft); }
.reason { margin: 0 0 0.3rem; color: var(--soft); font-size: 0.9375rem; }
.unverified .reason, .error .reason { color: var(--ink); }
.state { font-size: 0.875rem; font-weight: 500; white-space: nowrap; color: var(--soft); }
.state.pass { color: var(--pass); } .state.fail, .state.error { color: var(--fail); font-weight: 650; }
.state.expected, .state.unverified { color: var(--warn); }
.check { margin: 0; font-size: 0.9375rem; color: var(--soft); }
.check summary { padding: 0.12rem 0; cursor: pointer; width: fit-content; max-width: 100%; }
.check > summary:hover { color: var(--ink); }
details.check[open] > summary { color: var(--ink); }
p.check { padding: 0.12rem 0 0.12rem 1.1rem; }
summary .soft { font-size: 0.875rem; white-space: nowrap; }
details.check > :not(summary) { margin-left: 1.1rem; color: var(--ink); }
.case { border-left: 2px solid var(--line); padding: 0.1rem 0 0.1rem 1rem; margin-block: 0.6rem 1rem; }
p.case { margin-block: 0.3rem; border: 0; padding: 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.1rem 1rem; margin: 0.25rem 0 0.5rem; }
dt { color: var(--soft); } dd { margin: 0; } dd.found { color: var(--fail); }
.cases { margin-block: 0.3rem 0.5rem; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0 1.25rem; font-size: 0.875rem; color: var(--soft) !important; }
.exchange { margin-block: 0.35rem; }
.hook { margin: 0.35rem 0 0.35rem 1.1rem; font-size: 0.875rem; color: var(--soft); }
.exchange > summary { font-size: 0.875rem; }
.status { font-weight: 600; font-variant-numeric: tabular-nums; margin: 0 0.35rem; }
.status.rejected { color: var(--warn); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 0 0.75rem; }
figure { margin: 0.4rem 0; min-width: 0; }
button.copy { font: inherit; color: var(--accent); background: none; border: 1px solid var(--line); border-radius: 5px; padding: 0.05rem 0.5rem; margin-left: 0.4rem; cursor: pointer; }
button.copy:hover { background: var(--tint); }
figcaption { font-size: 0.8125rem; color: var(--soft); margin-bottom: 0.15rem; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; font-size: 0.8125rem; line-height: 1.45; }
pre { margin: 0; padding: 0.7rem 0.85rem; max-height: 26rem; overflow: auto; white-space: pre-wrap; background: var(--card); border: 1px solid var(--line); border-radius: 6px; unicode-bidi: plaintext; }
figure > p { margin: 0; font-size: 0.875rem; }
${filters}
body:not(:has(#show-all:checked, #show-decided:checked)) .overview { display: none; }
@media (max-width: 40rem) {
  html { scroll-padding-top: 1rem; }
  .top { padding-top: 1.25rem; } h1 { font-size: 1.375rem; }
  .top, main, .bar > div { padding-inline: 1rem; }
  article { margin-left: -1rem; padding-left: 0.8125rem; }
  .bar { position: static; }
  .bar label.choice { white-space: nowrap; padding: 0.55rem 0.6rem; }
  .find { margin: 0; width: 100%; } input[type="search"] { flex: 1; min-width: 0; min-height: 2.75rem; }
  .map, .map tbody, .map tr { display: block; } .map tr { display: grid; grid-template-columns: 1fr auto; padding: 0.4rem 0; }
  .map th, .map td, .map td:last-child { padding: 0; width: auto; border: 0; } .map td:nth-child(2) { grid-row: 2; grid-column: 1 / -1; padding: 0.25rem 0; }
  .map tr + tr { border-top: 1px solid var(--line); } .map tr + tr > * { border: 0; }
  .map .squares a { width: 1.5rem; height: 1.5rem; font-size: 0.8125rem; gap: 4px; }
  .legend { flex-direction: column; } button.copy { padding: 0.45rem 0.75rem; }
  dl { grid-template-columns: minmax(0, 1fr); } dd { margin-bottom: 0.3rem; }
  .check summary { padding: 0.4rem 0; } details.check > :not(summary) { margin-left: 0; } .case { padding-left: 0.7rem; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --tint: #fff; }
  html { font-size: 10pt; } body { font-size: 1rem; } .bar { position: static; border: 0; } .bar fieldset, .find, button.copy { display: none; }
  pre { max-height: none; overflow: visible; } article, .case { break-inside: auto; } h2, h3, h4, summary { break-after: avoid; }
  .squares a { print-color-adjust: exact; } .top, main { max-width: none; padding-inline: 0; } article { margin-inline: 0; }
}
`;

/** Search, links to hidden requirements, and buttons that copy. The page works without it, including the filter by verdict. */
export const script = `
const articles = [...document.querySelectorAll("article")];
const topics = [...document.querySelectorAll("section.topic")];
const texts = articles.map((article) =>
  [...article.querySelectorAll("h3, .text, .reason, .check > summary, p.check, h4")].map((part) => part.textContent).join(" ").toLowerCase());
const overviews = [...document.querySelectorAll(".overview")];
const search = document.querySelector("#search");
const status = document.querySelector("#shown");
const chosen = () => document.querySelector("input[name=show]:checked").value;
const update = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const filter = chosen();
  let shown = 0;
  articles.forEach((article, index) => {
    article.hidden = !words.every((word) => texts[index].includes(word));
    if (!article.hidden && (filter === "all" || article.classList.contains(filter))) shown += 1;
  });
  for (const topic of topics)
    topic.hidden = ![...topic.querySelectorAll("article")].some((article) =>
      !article.hidden && (filter === "all" || article.classList.contains(filter)));
  for (const overview of overviews) overview.hidden = words.length > 0;
  status.textContent = words.length === 0 && filter === "all" ? "" : shown + " shown";
};
const lead = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  if (target.offsetParent === null) {
    search.value = "";
    document.querySelector("#show-all").checked = true;
    update();
  }
  target.scrollIntoView();
};
const copy = async (button) => {
  const command = button.closest("figure").querySelector("pre");
  try {
    await navigator.clipboard.writeText(command.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(command);
    button.textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 3000);
};
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
search.parentElement.hidden = false;
search.addEventListener("input", update);
for (const input of document.querySelectorAll("input[name=show]")) input.addEventListener("change", update);
addEventListener("hashchange", lead);
update();
if (location.hash !== "") lead();
`;
