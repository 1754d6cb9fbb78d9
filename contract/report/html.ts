import { projectFile } from "../../lib/files.ts";
import type { Html } from "../../lib/html.ts";
import { count, visible } from "../../lib/text.ts";
import { brief, capitalized, duration } from "../text.ts";
import { causesSection, diagnose, type Finding } from "./causes.ts";
import {
  badgeOf,
  coverageLine,
  coverageNote,
  coverageTable,
  exitLine,
  incompleteKinds,
  levelFacts,
  missingItems,
  scopeOf,
  verdictLine,
} from "./counts.ts";
import {
  type Contents,
  contentsOf,
  type Entry,
  html,
  isDecided,
  legendMarkup,
  requirementMarkup,
  verdictLabels,
  withCode,
} from "./html-requirement.ts";
import { page } from "./page.ts";
import { type ContractResult, subjectOf } from "./result.ts";
import { baselineSection, type Group, ownSections, type Section } from "./sections.ts";

/**
 * The HTML report, one self-contained page: each requirement with its verdict, checks, test cases, exchanges and curl
 * commands. It shows all exchanges of failed cases, and one of each check that passes.
 */
export function htmlReport(result: ContractResult): string {
  const topics = topicsOf(result);
  const contents = contentsOf(result);
  const entries = topics.flatMap((topic) => topic.entries);
  const findings = diagnose(result);
  const failures = failuresOf(findings, entries);
  const body = html`${topMarkup(result)}
${filterMarkup(entries, result)}
<main>
${failuresMarkup(result, findings, failures, contents)}
${coverageMarkup(result)}
${overviewMarkup(result, topics)}
${topics.map((topic) => topicMarkup(topic, failures, contents))}
</main>`;
  return page(`${subjectOf(result)}: ${verdictLine(result)}`, body, { style: filters.join(""), script });
}

/** The filter by verdict needs no script. */
const filters = ["decided", ...Object.values(verdictLabels).map(({ name }) => name)].map(
  (name) =>
    `body:has(#show-${name}:checked) article:not(.${name}), body:has(#show-${name}:checked) section.topic:not(:has(article.${name})) { display: none; }\n`,
);

const script = projectFile("contract/report/page.js");

/** A topic and all its requirements, in the order of their ids. */
interface Topic {
  topic: string;
  entries: Entry[];
}

function topicsOf({ requirements, notTested }: ContractResult): Topic[] {
  const all: (Entry & { topic: string })[] = [
    ...requirements,
    ...notTested.map((entry) => ({ ...entry, verdict: "outside the run" as const })),
  ];
  return Object.entries(Object.groupBy(all, ({ topic }) => topic)).map(([topic, entries = []]) => ({
    topic,
    entries: entries.sort((one, other) => one.id.localeCompare(other.id, "en", { numeric: true })),
  }));
}

/** A topic with its requirements but those at the top of the page. */
function topicMarkup({ topic, entries }: Topic, failures: readonly Entry[], contents: Contents): Html {
  const others = entries.filter((entry) => !failures.includes(entry));
  const moved = entries.length - others.length;
  const above = moved > 0 && html`, <a href="#failures">${count(moved, "failure")} above</a>`;
  return html`<section class="topic" aria-labelledby="topic-${topic}">
<h2 id="topic-${topic}">${capitalized(topic)} <span class="soft">${passLine(entries)}${above}</span></h2>
${others.map((entry) => requirementMarkup(entry, contents))}
</section>`;
}

function filterMarkup(entries: readonly Entry[], { traffic }: ContractResult): Html {
  const decided = entries.filter(({ verdict }) => isDecided(verdict)).length;
  // Traffic shows few of the requirements: the page begins without the others.
  const hasDecided = traffic !== undefined && decided > 0;
  const first = hasDecided ? "decided" : "all";
  const choice = (name: string, word: string, number: number): Html =>
    html`<label class="choice"><input type="radio" name="show" id="show-${name}" value="${name}"${name === first && html` checked`}><span class="state ${name}">${word}</span> <span class="count">${number}</span></label>`;
  const choices = Object.entries(verdictLabels).flatMap(([verdict, { name }]) => {
    const number = entries.filter((entry) => entry.verdict === verdict).length;
    return number === 0 ? [] : [choice(name, capitalized(verdict), number)];
  });
  return html`<div class="bar" role="search"><div><fieldset><legend>Requirements to show</legend>
${choice("all", "All", entries.length)}
${hasDecided && choice("decided", "With a verdict", decided)}
${choices}
</fieldset>
<div class="find" hidden><label class="unseen" for="search">Search requirements and checks</label><input type="search" id="search" placeholder="Search"><span id="shown" role="status"></span></div></div></div>`;
}

/** A longer list of information is folded. */
const maxUnfolded = 6;

/** The header of the page: the verdict and the facts of the run. */
function topMarkup(result: ContractResult): Html {
  const { baseUrl, client, coverage, startedAt, durationMilliseconds, waitedMilliseconds } = result;
  const { requests, runId, tool } = result;
  const [line, ...others] = verdictLine(result).split(", ");
  // The exit code says how many fail.
  const also = others.filter((one) => !one.endsWith(" fail"));
  const { text, state } = badgeOf(result);
  const clients = client && [client.name, client.driver, client.against ?? client.driver];
  const facts = [
    ...new Set([subjectOf(result), ...(clients ?? [baseUrl])]),
    capitalized(scopeOf(result)),
    ...levelFacts(result),
    `${new Date(startedAt).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`,
    duration(durationMilliseconds),
    ...(waitedMilliseconds > 0 ? [`${duration(waitedMilliseconds)} waiting for the rate limit`] : []),
    count(requests, "request"),
    `Run ${runId}`,
    `${tool.name} ${tool.version}`,
  ];
  return html`<header class="top">
<p class="name">${client?.against ? client.name : client ? "Client report" : "Contract report"} <span class="badge ${state}">${text.endsWith(" fail") ? "Fails" : text}</span></p>
<h1>${line}</h1>
${also.length > 0 && html`<p class="also">${capitalized(also.join(", "))}.</p>`}
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
<p class="means">${exitLine(result)} ${coverage !== undefined && html`<a href="#coverage">${coverageLine(coverage)}</a> `}<a href="#overview">Overview</a></p>
</header>`;
}

/** How many of the tested requirements pass. */
function passLine(entries: readonly Entry[]): string {
  const tested = entries.filter(({ verdict }) => verdict !== "outside the run");
  const passed = tested.filter(({ verdict }) => verdict === "pass").length;
  return tested.length === 0 ? "outside the run" : `${passed} of ${tested.length} pass`;
}

/** The comparison with a baseline, every requirement by topic, and what else the reports list. */
const overviewMarkup = (result: ContractResult, topics: readonly Topic[]): Html =>
  html`<div class="overview" id="overview">${baselineSection(result).map(list)}
${mapMarkup(topics)}
${legendMarkup(topics.flatMap(({ entries }) => entries.map(({ verdict }) => verdict)))}
${ownSections(result).map(list)}</div>`;

/** Every requirement as a square, by topic. Screen readers get the numbers, and the requirements below. */
const mapMarkup = (topics: readonly Topic[]): Html =>
  html`<h2>By topic</h2>
<table class="map"><tbody>
${topics.map(
  ({ topic, entries }) =>
    html`<tr><th scope="row"><a href="#topic-${topic}">${topic}</a></th><td><div class="squares" aria-hidden="true">${entries.map(square)}</div></td><td>${passLine(entries)}</td></tr>
`,
)}</tbody></table>`;

const square = ({ id, verdict, text }: Entry): Html => {
  const { name, mark } = verdictLabels[verdict];
  return html`<a class="${name}" href="#${id}" tabindex="-1" title="${id}, ${capitalized(verdict)}: ${text}">${mark}</a>`;
};

function list({ title, severity, groups }: Section): Html {
  const items = html`<ul class="groups">${groups.map(item)}</ul>`;
  return html`<h2>${title}</h2>
${severity === "information" && groups.length > maxUnfolded ? html`<details class="check"><summary>${count(groups.length, "item")}</summary>${items}</details>` : items}
`;
}

const item = ({ what, ids = [], isFolded, most = 600, detail = [] }: Group): Html =>
  html`<li>${isFolded ? html`<details><summary>${withCode(what)}</summary>${links(ids)}</details>` : html`${withCode(brief(what, most))}${what !== "" && ids.length > 0 && ": "}${links(ids)}`}${detail.length > 0 && html`<pre>${visible(detail.join("\n"))}</pre>`}</li>`;

const links = (ids: readonly string[]): Html =>
  html`<span class="ids">${ids.map((id, index) => [index > 0 && ", ", html`<a href="#${id}">${id}</a>`])}</span>`;

/** What the tests exercised, as a table, and what they did not, folded. */
function coverageMarkup({ coverage }: ContractResult): Html {
  if (coverage === undefined) return html``;
  const { head, rows } = coverageTable(coverage);
  return html`<section class="overview" aria-labelledby="coverage">
<h2 id="coverage">${coverageLine(coverage)}</h2>
<table class="numbers"><thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>
${rows.map(
  ([title = "", ...cells]) =>
    html`<tr><th scope="row">${title}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table>
${incompleteKinds(coverage).map(
  (one) =>
    html`<details class="check"><summary>${count(one.missing.length, "item")} not covered: ${one.kind}</summary><p>Of ${one.of}:</p><ul class="groups">${missingItems(one).map((label) => html`<li>${label}</li>`)}</ul></details>
`,
)}
<p class="soft">${coverageNote}</p>
</section>`;
}

/** The requirements of the first failure of each cause, in their order: the page begins with them, and the first of a failure shows it. */
function failuresOf(findings: readonly Finding[], entries: readonly Entry[]): Entry[] {
  const ids = new Set(findings.flatMap(({ missing, first }) => (missing ? [] : first.ids)));
  const failed = new Map(entries.flatMap((one) => (one.verdict === "fail" ? [[one.id, one]] : [])));
  return [...ids].flatMap((id) => failed.get(id) ?? []);
}

/** The failures, common causes first; nothing if there are none. */
function failuresMarkup(
  { baseline, counts }: ContractResult,
  findings: readonly Finding[],
  failures: readonly Entry[],
  contents: Contents,
): Html {
  const causes = causesSection(findings).map(list);
  if (failures.length === 0) return html`${causes}`;
  const name = baseline === undefined ? "Failures" : "New failures";
  return html`<section class="topic" id="failures" aria-labelledby="failures-title">
${causes}
<h2 id="failures-title">${name} <span class="soft">${failures.length} of ${count(counts.fail, "requirement")} that fail</span></h2>
${failures.map((entry) => requirementMarkup(entry, contents))}
</section>`;
}
