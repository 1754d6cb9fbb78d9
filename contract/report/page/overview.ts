import { count } from "../../../lib/count.ts";
import type { Html } from "../../../lib/html.ts";
import { brief, capitalized, duration, visible } from "../../text.ts";
import { diagnose } from "../causes.ts";
import { badgeOf, exitLine, scopeOf, verdictLine } from "../counts.ts";
import { coverageLine } from "../coverage.ts";
import type { ContractResult } from "../result.ts";
import type { Group, Section } from "../section.ts";
import { sectionsOf } from "../sections.ts";
import { html, withCode } from "./markup.ts";
import type { Entry } from "./requirement.ts";
import { type PageVerdict, verdictLabels } from "./verdict-labels.ts";

const maxInformation = 100;
/** A longer list of information is folded. */
const maxUnfolded = 6;

/** The header of the page: the verdict and the facts of the run. */
export function topMarkup(result: ContractResult): Html {
  const { baseUrl, startedAt, durationMilliseconds, waitedMilliseconds, requests, runId, tool } = result;
  const [line, ...also] = verdictLine(result).split(", ");
  const { wholeServer } = diagnose(result);
  const { text, state } = badgeOf(result);
  const { coverage } = result;
  const facts = [
    ...(result.client === undefined ? [baseUrl] : [result.client.name, result.client.driver]),
    capitalized(scopeOf(result)),
    dateTime(startedAt),
    duration(durationMilliseconds),
    ...(waitedMilliseconds > 0 ? [`${duration(waitedMilliseconds)} waiting for the rate limit`] : []),
    count(requests, "request"),
    `Run ${runId}`,
    `${tool.name} ${tool.version}`,
  ];
  return html`<header class="top">
<p class="name">${result.client === undefined ? "Contract report" : "Client report"} <span class="badge ${state}">${text}</span></p>
<h1>${line}</h1>
${also.length > 0 && html`<p class="also">${capitalized(also.join(", "))}.</p>`}
${wholeServer !== undefined && html`<p class="also">${wholeServer}</p>`}
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
<p class="means">${exitLine(result)} ${coverage !== undefined && html`<a href="#coverage">${coverageLine(coverage)}</a> `}<a href="#overview">Overview</a></p>
</header>`;
}

function dateTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return `${date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`;
}

/** How many of the tested requirements pass. */
export function passLine(entries: readonly Entry[]): string {
  const tested = entries.filter(({ verdict }) => verdict !== "outside the run");
  const passed = tested.filter(({ verdict }) => verdict === "pass").length;
  return tested.length === 0 ? "outside the run" : `${passed} of ${tested.length} pass`;
}

interface TopicEntries {
  topic: string;
  entries: readonly Entry[];
}

/** The comparison with a baseline, every requirement by topic, and what else the reports list. */
export function overviewMarkup(result: ContractResult, topics: readonly TopicEntries[]): Html {
  const sections = sectionsOf(result);
  const first = result.baseline === undefined ? [] : sections.splice(0, 1);
  return html`<div class="overview" id="overview">${first.map(list)}
${mapMarkup(topics)}
${legendMarkup(topics)}
${sections.map(list)}</div>`;
}

/** Every requirement as a square, by topic. Screen readers get the numbers, and the requirements below. */
const mapMarkup = (topics: readonly TopicEntries[]): Html =>
  html`<h2>By topic</h2>
<table class="map"><tbody>
${topics.map(
  ({ topic, entries }) =>
    html`<tr><th scope="row"><a href="#topic-${topic}">${topic}</a></th><td><div class="squares" aria-hidden="true">${entries.map(square)}</div></td><td>${passLine(entries)}</td></tr>
`,
)}</tbody></table>`;

/** What the squares mean, of the verdicts that the page has. */
function legendMarkup(topics: readonly TopicEntries[]): Html {
  const used = new Set(topics.flatMap(({ entries }) => entries.map(({ verdict }) => verdict)));
  const shown = Object.entries(verdictLabels).filter(([verdict]) => used.has(verdict as PageVerdict));
  return html`<ul class="legend">${shown.map(
    ([, { name, word, mark, meaning }]) =>
      html`<li><span class="squares" aria-hidden="true"><span class="${name}">${mark}</span></span> <strong>${word}</strong> ${meaning}</li>`,
  )}</ul>`;
}

const square = ({ id, verdict, text }: Entry): Html => {
  const { name, word, mark } = verdictLabels[verdict];
  return html`<a class="${name}" href="#${id}" tabindex="-1" title="${id}, ${word}: ${text}">${mark}</a>`;
};

export const causesMarkup = (result: ContractResult): Html => {
  const { causes } = diagnose(result);
  return html`${causes.length > 0 && list({ title: "Common causes", severity: "error", groups: causes })}`;
};

function list({ title, severity, groups }: Section): Html {
  const shown = severity === "information" ? groups.slice(0, maxInformation) : groups;
  const more = groups.length - shown.length;
  const items = html`<ul class="groups">${shown.map(item)}${more > 0 && html`<li>and ${more} more</li>`}</ul>`;
  return html`<h2>${title}</h2>
${severity === "information" && groups.length > maxUnfolded ? html`<details class="check"><summary>${count(groups.length, "item")}</summary>${items}</details>` : items}
`;
}

const item = ({ what, ids, folded = [], detail = [] }: Group): Html =>
  html`<li>${folded.length > 0 ? html`<details><summary>${withCode(what)}</summary>${links(folded)}</details>` : html`${withCode(brief(what, 600))} ${links(ids)}`}${detail.length > 0 && html`<pre>${visible(detail.join("\n"))}</pre>`}</li>`;

const links = (ids: readonly string[]): Html =>
  html`<span class="ids">${ids.map((id, index) => [index > 0 && ", ", html`<a href="#${id}">${id}</a>`])}</span>`;
