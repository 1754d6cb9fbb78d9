import { count } from "../../../../lib/count.ts";
import type { Html } from "../../../../lib/html.ts";
import { brief, capitalized, duration, visible } from "../../text.ts";
import { diagnose } from "../causes.ts";
import { exitLine, verdictLine } from "../counts.ts";
import type { ContractResult } from "../result.ts";
import type { Group, Section } from "../section.ts";
import { sectionsOf } from "../sections.ts";
import { html, withCode } from "./markup.ts";
import type { Entry } from "./requirement.ts";
import { verdictLabels } from "./verdict-labels.ts";

const maxInformation = 100;

/** The header of the page: the verdict and the facts of the run. */
export function topMarkup(result: ContractResult, entries: readonly Entry[]): Html {
  const { baseUrl, profile, startedAt, durationMilliseconds, waitedMilliseconds, requests, runId, tool } =
    result;
  const [line, ...also] = verdictLine(result).split(", ");
  const { wholeServer, others } = diagnose(result);
  const failed = entries.filter(({ verdict }) => verdict === "fail");
  // A failure without a common cause says more.
  const first = failed.find(({ id }) => others.some(({ ids }) => ids.includes(id))) ?? failed[0];
  const facts = [
    ...(result.client === undefined ? [baseUrl] : [result.client.name, result.client.driver]),
    `Profile ${profile}`,
    dateTime(startedAt),
    duration(durationMilliseconds),
    ...(waitedMilliseconds > 0 ? [`${duration(waitedMilliseconds)} waiting for the rate limit`] : []),
    count(requests, "request"),
    `Run ${runId}`,
    `${tool.name} ${tool.version}`,
  ];
  return html`<header class="top">
<p class="name">${result.client === undefined ? "Contract report" : "Client report"}</p>
<h1>${line}</h1>
${also.length > 0 && html`<p class="also">${capitalized(also.join(", "))}.</p>`}
${wholeServer !== undefined && html`<p class="also">${wholeServer}</p>`}
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
<p class="means">${exitLine(result)}${first !== undefined && html` <a href="#${first.id}">First failure</a>`}</p>
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

/** Every requirement as a square, by topic. Screen readers get the numbers, and the requirements below. */
export const mapMarkup = (topics: readonly { topic: string; entries: readonly Entry[] }[]): Html =>
  html`<h2>By topic</h2>
<table class="map"><tbody>
${topics.map(
  ({ topic, entries }) =>
    html`<tr><th scope="row"><a href="#topic-${topic}">${topic}</a></th><td><div class="squares" aria-hidden="true">${entries.map(square)}</div></td><td>${passLine(entries)}</td></tr>
`,
)}</tbody></table>`;

const square = ({ id, verdict, text }: Entry): Html => {
  const { name, word, mark } = verdictLabels[verdict];
  return html`<a class="${name}" href="#${id}" tabindex="-1" title="${id}, ${word}: ${text}">${mark}</a>`;
};

export const causesMarkup = (result: ContractResult): Html => {
  const { causes } = diagnose(result);
  return html`${causes.length > 0 && list({ title: "Common causes", severity: "error", groups: causes })}`;
};

export const sectionsMarkup = (result: ContractResult): Html => html`${sectionsOf(result).map(list)}`;

function list({ title, severity, groups }: Section): Html {
  const shown = severity === "information" ? groups.slice(0, maxInformation) : groups;
  const more = groups.length - shown.length;
  const items = html`<ul class="groups">${shown.map(item)}${more > 0 && html`<li>and ${more} more</li>`}</ul>`;
  return html`<h2>${title}</h2>
${severity === "information" ? html`<details class="check"><summary>${count(groups.length, "item")}</summary>${items}</details>` : items}
`;
}

const item = ({ what, ids, folded = [], detail = [] }: Group): Html =>
  html`<li>${folded.length > 0 ? html`<details><summary>${withCode(what)}</summary>${links(folded)}</details>` : html`${withCode(brief(what, 600))} ${links(ids)}`}${detail.length > 0 && html`<pre>${visible(detail.join("\n"))}</pre>`}</li>`;

const links = (ids: readonly string[]): Html =>
  html`<span class="ids">${ids.map((id, index) => [index > 0 && ", ", html`<a href="#${id}">${id}</a>`])}</span>`;
