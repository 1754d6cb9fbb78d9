import type { RecordedExchange } from "../../engine/outcome.ts";
import { brief, counted, sentence } from "../reading.ts";
import type { LawResult, TrialResult, WireResult } from "../result.ts";
import type { Contents } from "./contents.ts";
import { type Extent, exchangeMarkup } from "./exchange.ts";
import { html, Markup } from "./markup.ts";
import { type Standing, standings } from "./verdicts.ts";

/** Something that the run says, or does not say, of a promise. */
export interface Entry {
  id: string;
  text: string;
  standing: Standing;
  reason?: string;
}

const ofBroken: Extent = { body: 16_500, command: 20_000 };
const besides: Extent = { body: 3000, command: 3000 };
const ofHeld: Extent = { body: 1500, command: 2500 };
const longestText = 1200;

/** A promise with its verdict, and the laws that show it. A law of several promises is written out at one of them. */
export function requirementMarkup({ id, text, standing, reason }: Entry, contents: Contents): Markup {
  const { name, word } = standings[standing];
  const { laws, wire } = contents.of(id);
  const elsewhere = laws.filter((law) => contents.homeOf(law) !== id);
  const wireElsewhere = wire.filter((law) => contents.homeOf(law) !== id);
  return html`<article class="requirement ${name}" id="${id}">
<h3><a href="#${id}">${id}</a> <span class="state ${name}">${word}</span></h3>
<p class="promise">${text}</p>
${reason !== undefined && html`<p class="reason">${brief(reason, longestText)}</p>`}
${laws.filter((law) => !elsewhere.includes(law)).map((law) => lawMarkup(law, contents))}
${wire.filter((law) => !wireElsewhere.includes(law)).map((law) => wireMarkup(law, contents))}
${[...elsewhere, ...wireElsewhere].map((law) => html`<p class="law">With <a href="#${contents.homeOf(law)}">${contents.homeOf(law)}</a>: ${law.law}</p>`)}
</article>`;
}

function lawMarkup({ law, verdict, trials }: LawResult, contents: Contents): Markup {
  const held = trials.filter((trial) => trial.verdict === "pass");
  const count = trials.length === 1 ? "" : `${held.length} of ${counted(trials.length, "case")}`;
  const example = held.find(({ exchanges }) => exchanges.length > 0)?.exchanges.at(-1);
  const titles = held.map(({ title }) => title).filter((title) => title !== "");
  return html`<details class="law"${verdict === "fail" && html` open`}><summary>${sentence(law)} <span class="soft">${count}</span></summary>
${trials.filter((trial) => trial.verdict === "fail").map((trial, index) => brokenMarkup(trial, index === 0, contents))}
${trials.filter((trial) => trial.verdict === "error" || trial.verdict === "not verified").map(untold)}
${titles.length > 0 && html`<ul class="cases">${titles.map((title) => html`<li>${title}</li>`)}</ul>`}
${verdict !== "fail" && example !== undefined && contents.held.take(exchangeMarkup(example, contents.origin, ofHeld))}
</details>`;
}

const untold = ({ title, verdict, reason = "" }: TrialResult): Markup =>
  html`<p class="case"><span class="state ${standings[verdict].name}">${standings[verdict].word}</span> ${title} <span class="soft">${brief(reason, longestText)}</span></p>`;

/** A case that did not hold, with everything that was sent in it. */
function brokenMarkup(
  { title, breach, exchanges }: TrialResult,
  isOpen: boolean,
  contents: Contents,
): Markup {
  const { expected = "", found = "", exchange = null } = breach ?? {};
  const place = exchange ?? exchanges.length - 1;
  const text = html`<section class="case">${title !== "" && html`<h4>${title}</h4>`}
${comparison(expected, found)}
${exchanges.map((one, index) => exchangeMarkup(one, contents.origin, index === place ? ofBroken : besides, isOpen && index === place))}
</section>`;
  const short = html`<section class="case">${title !== "" && html`<h4>${title}</h4>`}
${comparison(expected, found)}${leftOut}</section>`;
  return contents.broken.take(text) ?? contents.compared.take(short) ?? leftOut;
}

function wireMarkup({ law, answers, broken, breaches }: WireResult, contents: Contents): Markup {
  if (broken === 0)
    return html`<p class="law">Every answer: ${law} <span class="soft">${counted(answers, "answer")}</span></p>`;
  return html`<details class="law" open><summary>Every answer: ${law} <span class="soft">broken in ${broken} of ${counted(answers, "answer")}</span></summary>
${breaches.map((breach, index) => ofAnswer(breach, index === 0, contents))}
</details>`;
}

function ofAnswer(
  { expected, found, exchange }: { expected: string; found: string; exchange: RecordedExchange | null },
  isOpen: boolean,
  contents: Contents,
): Markup {
  const told = comparison(expected, found);
  if (exchange === null) return html`<section class="case">${told}</section>`;
  const text = html`<section class="case">${told}${exchangeMarkup(exchange, contents.origin, ofBroken, isOpen)}</section>`;
  const short = html`<section class="case">${told}${leftOut}</section>`;
  return contents.broken.take(text) ?? contents.compared.take(short) ?? leftOut;
}

const comparison = (expected: string, found: string): Markup =>
  html`<dl><dt>Expected</dt><dd>${brief(expected, longestText)}</dd><dt>Found</dt><dd>${brief(found, longestText)}</dd></dl>`;

const leftOut = new Markup(
  `<p class="soft">What was sent is left out, for the length of this page: the report in JSON has all of it.</p>`,
);
