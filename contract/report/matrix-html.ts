import { projectFile } from "../../lib/files.ts";
import type { Html } from "../../lib/html.ts";
import { count } from "../../lib/text.ts";
import { capitalized } from "../text.ts";
import { levelFacts, type ReportTable, verdictLine } from "./counts.ts";
import {
  contentsOf,
  html,
  legendMarkup,
  requirementMarkup,
  verdictLabels,
  withCode,
} from "./html-requirement.ts";
import {
  claimIn,
  claimTable,
  exceptionTable,
  factsOf,
  type Group,
  type Implementation,
  passedIn,
  verdictIn,
} from "./matrix.ts";
import { page } from "./page.ts";

/** The matrix as one self-contained page: levels, verdicts by topic and requirement, and what each implementation fails. */
export function matrixHtml(groups: readonly Group[]): string {
  const sizes = groups.map(({ kind, implementations }) => count(implementations.length, kind)).join(", ");
  const body = html`<header class="top">
<p class="name">Conformance</p>
<h1>${sizes}</h1>
<p class="means">What published reports say: the latest one of each implementation. A mark with a sign leads to what failed, or why it is not verified.</p>
${legendMarkup(Object.keys(verdictLabels), true)}
</header>
<main>
${groups.map(groupMarkup)}
${groups.flatMap(({ implementations }) => implementations).map(implementationMarkup)}
</main>`;
  return page(`Conformance: ${sizes}`, body, { style: projectFile("contract/report/matrix.css") });
}

const groupMarkup = ({ kind, implementations, topics }: Group): Html => html`<section>
<h2>${capitalized(kind)}s</h2>
${tableMarkup(claimTable(implementations.map(({ report }) => report)), implementations)}
<div class="wide" tabindex="0"><table class="matrix${implementations.length > 4 && " many"}"><thead><tr><th scope="col">Topic</th>${implementations.map(({ id, name }) => html`<th scope="col"><a href="#${id}"><span>${name}</span></a></th>`)}</tr></thead>
${topics.map((one) => topicMarkup(one, implementations))}
</table></div>
</section>`;

/** @param linked the implementations that the rows link to */
const tableMarkup = ({ head, rows }: ReportTable, linked: readonly Implementation[] = []): Html | false =>
  rows.length > 0 &&
  html`<div class="wide" tabindex="0"><table class="levels"><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>
${rows.map(
  ([first, ...cells], index) =>
    html`<tr><th scope="row">${linked[index] === undefined ? first : html`<a href="#${linked[index].id}">${first}</a>`}</th>${cells.map((text) => html`<td${/^\d{4}-\d\d-\d\d/.test(text) && html` class="day"`}>${withCode(text)}</td>`)}</tr>
`,
)}</tbody></table></div>`;

/** A topic with its requirements, expanded if any of them fails. */
function topicMarkup({ topic, requirements }: Group["topics"][number], all: readonly Implementation[]): Html {
  const isOpen = requirements.some(({ id }) =>
    all.some((one) => ["fail", "error", "expected failure"].includes(verdictIn(one, id))),
  );
  return html`<tbody>
<tr class="topic"><th scope="rowgroup"><label><input type="checkbox"${isOpen && html` checked`}> ${topic}</label></th>${all.map((one) => html`<td>${passedIn(one, requirements)}</td>`)}</tr>
${requirements.map(
  ({
    id,
    text,
  }) => html`<tr><th scope="row"><b>${id}</b> ${withCode(text)}</th>${all.map((one) => cell(one, id))}</tr>
`,
)}</tbody>`;
}

function cell(one: Implementation, id: string): Html {
  const verdict = verdictIn(one, id);
  const { name, mark } = verdictLabels[verdict];
  const label = html`<span class="unseen">${capitalized(verdict)}</span>`;
  if (verdict === "pass" || verdict === "outside the run")
    return html`<td><span class="squares"><span class="${name}" title="${verdict}">${label}</span></span></td>`;
  return html`<td><span class="squares"><a class="${name}" href="#${one.id}-${id}" title="${one.name}, ${id}: ${verdict}">${mark}${label}</a></span></td>`;
}

/** What a report says in full about what does not pass. */
function implementationMarkup({ id, name, version, url, report, versions }: Implementation): Html {
  const contents = contentsOf(report, `${id}-`);
  contents.isFirst = false;
  const { text, state } = claimIn(report);
  const { published = [] } = report;
  return html`<section class="topic" aria-labelledby="${id}">
<h2 id="${id}">${name} ${version} <span class="badge ${state}">${text}</span> <span class="soft">${verdictLine(report)}</span></h2>
<ul class="facts">${url !== undefined && html`<li><a href="${url}">${url}</a></li>`}${factsOf(report).map((fact) => html`<li>${fact}</li>`)}</ul>
<ul class="groups">${levelFacts(report).map((text) => html`<li>${text}</li>`)}</ul>
${tableMarkup(exceptionTable(report))}
${versions.length > 1 && tableMarkup(claimTable(versions))}
${report.requirements.filter(({ verdict }) => verdict !== "pass").map((one) => requirementMarkup(one, contents))}
<details class="check"><summary>What the report leaves out</summary><ul class="groups">${published.map(({ what, why }) => html`<li>${capitalized(what)}: ${why}.</li>`)}</ul></details>
</section>`;
}
