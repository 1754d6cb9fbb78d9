import { causeLine, findingsIn } from "../causes.ts";
import {
  brief,
  counted,
  duration,
  errorsIn,
  exitMeaning,
  type Group,
  missingIn,
  sentence,
  verdictLine,
} from "../reading.ts";
import type { ContractResult } from "../result.ts";
import { html, type Markup } from "./markup.ts";
import type { Entry } from "./requirement.ts";
import { standings } from "./verdicts.ts";

const mostInformation = 100;

/** What the run was, and what it found, in a line. */
export function topMarkup(result: ContractResult, entries: readonly Entry[]): Markup {
  const { baseUrl, profile, startedAt, durationMilliseconds, waitedMilliseconds, requests, runId, tool } =
    result;
  const [line, ...also] = verdictLine(result).split(", ");
  const { diagnosis, others } = findingsIn(result);
  const failed = entries.filter(({ standing }) => standing === "fail");
  // What fell with others says less than what fell by itself.
  const broken = failed.find(({ id }) => others.some(({ ids }) => ids.includes(id))) ?? failed[0];
  const facts = [
    baseUrl,
    `Profile ${profile}`,
    moment(startedAt),
    duration(durationMilliseconds),
    ...(waitedMilliseconds > 0 ? [`${duration(waitedMilliseconds)} of them waiting`] : []),
    counted(requests, "request"),
    `Run ${runId}`,
    `${tool.name} ${tool.version}`,
  ];
  return html`<header class="top">
<p class="name">Contract report</p>
<h1>${line}</h1>
${also.length > 0 && html`<p class="also">${sentence(also.join(", "))}.</p>`}
${diagnosis !== undefined && html`<p class="also">${diagnosis}</p>`}
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
<p class="means">Exit status ${result.exitCode}: ${exitMeaning(result)}.${broken !== undefined && html` <a href="#${broken.id}">The first that is broken</a>`}</p>
</header>`;
}

const moment = (time: string): string => {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return `${date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`;
};

/** Every promise as a small square, by topic. For ears there are the counts, and the promises themselves further down. */
export function mapMarkup(topics: readonly { topic: string; entries: readonly Entry[] }[]): Markup {
  return html`<h2>By topic</h2>
<table class="map"><tbody>
${topics.map(({ topic, entries }) => {
  const tried = entries.filter(({ standing }) => standing !== "not tried");
  const held = tried.filter(({ standing }) => standing === "pass").length;
  return html`<tr><th scope="row"><a href="#topic-${topic}">${topic}</a></th><td><div class="squares" aria-hidden="true">${entries.map(square)}</div></td><td>${tried.length === 0 ? "not tried" : `${held} of ${tried.length} hold`}</td></tr>
`;
})}</tbody></table>`;
}

const square = ({ id, standing, text }: Entry): Markup => {
  const { name, word, mark } = standings[standing];
  return html`<a class="${name}" href="#${id}" tabindex="-1" title="${id}, ${word}: ${text}">${mark}</a>`;
};

/** What many promises fall with. */
export const causesMarkup = (result: ContractResult): Markup =>
  html`${groups(
    "One cause for many",
    findingsIn(result).causes.map((cause) => ({ what: causeLine(cause), ids: cause.ids })),
  )}`;

/** What keeps promises from being verified, what went wrong, and what is worth knowing. */
export function groupsMarkup(result: ContractResult): Markup {
  const { stale, information } = result;
  const shown = information.slice(0, mostInformation);
  const more = information.length - shown.length;
  return html`${groups("Expected to fail, and held", stale.length === 0 ? [] : [{ what: "Take these out of the expected failures", ids: stale }])}
${groups("What is missing", missingIn(result))}
${groups("What went wrong", errorsIn(result))}
${
  shown.length > 0 &&
  html`<h2>Beyond the document</h2>
<details class="law"><summary>${counted(information.length, "thing")} that the server has and the document does not, which is allowed</summary>
<ul class="groups">${shown.map((text) => html`<li>${brief(text, 400)}</li>`)}${more > 0 && html`<li>and ${more} more</li>`}</ul></details>`
}`;
}

const groups = (title: string, given: readonly Group[]): Markup | false =>
  given.length > 0 &&
  html`<h2>${title}</h2>
<ul class="groups">${given.map(({ what, ids }) => html`<li>${brief(what, 600)} <span class="ids">${ids.map((id, index) => [index > 0 && ", ", html`<a href="#${id}">${id}</a>`])}</span></li>`)}</ul>`;
