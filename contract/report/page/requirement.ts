import { count } from "../../../lib/count.ts";
import { Html } from "../../../lib/html.ts";
import type { RecordedExchange } from "../../engine/outcome.ts";
import { brief, capitalized } from "../../text.ts";
import { checkedMessage, checkedTimes, failedTimes } from "../counts.ts";
import { errorLink, errorTypeIn, requirementLink } from "../error-link.ts";
import { repeatOf } from "../read-result.ts";
import type { CaseResult, CheckResult, ResponseCheckResult } from "../result.ts";
import type { Contents } from "./contents.ts";
import { type Extent, exchangeMarkup } from "./exchange.ts";
import { html, withCode } from "./markup.ts";
import { isDecided, type PageVerdict, verdictLabels } from "./verdict-labels.ts";

/** A requirement on the page. */
export interface Entry {
  id: string;
  text: string;
  verdict: PageVerdict;
  reason?: string;
}

const ofFailure: Extent = { body: 16_500, command: 20_000 };
const besideFailure: Extent = { body: 3000, command: 3000 };
const ofExample: Extent = { body: 1500, command: 2500 };
const maxText = 1200;

/** A requirement with its verdict and checks. A check of several requirements is shown in full at one of them. */
export function requirementMarkup({ id, text, verdict, reason }: Entry, contents: Contents): Html {
  const { name, word } = verdictLabels[verdict];
  const { checks, responseChecks, elsewhere } = contents.checksOf(id);
  const docs = requirementLink(id, contents.context);
  // What fails stands first.
  const shown = [
    ...checks.map((check) => ({ check, markup: () => checkMarkup(check, contents) })),
    ...responseChecks.map((check) => ({ check, markup: () => responseCheckMarkup(check, contents) })),
  ].sort((one, other) => Number(other.check.verdict === "fail") - Number(one.check.verdict === "fail"));
  return html`<article class="requirement ${name}${isDecided(verdict) && " decided"}" id="${id}">
<h3><a href="#${id}">${id}</a> <span class="state ${name}">${word}</span>${docs !== undefined && html` <a class="docs" href="${docs}">Reference</a>`}</h3>
<p class="text">${withCode(text)}</p>
${reason !== undefined && html`<p class="reason">${brief(reason, maxText)}</p>`}
${shown.map(({ markup }) => markup())}
${elsewhere.map((check) => elsewhereMarkup(check, contents))}
</article>`;
}

/** Whether there is nothing to show of a check but its title. */
const isBare = (check: CheckResult | ResponseCheckResult): boolean =>
  "cases" in check &&
  check.cases.every(
    ({ verdict, title, exchanges }) => verdict === "pass" && title === "" && exchanges.length === 0,
  );

const bareMarkup = ({ title }: CheckResult | ResponseCheckResult): Html =>
  html`<p class="check">${withCode(capitalized(title))}</p>`;

function elsewhereMarkup(check: CheckResult | ResponseCheckResult, contents: Contents): Html {
  if (isBare(check)) return bareMarkup(check);
  const home = contents.homeOf(check);
  return html`<p class="check">${check.verdict === "fail" ? "Fails with" : "With"} <a href="#${home}">${home}</a>: ${withCode(check.title)}</p>`;
}

function checkMarkup(result: CheckResult, contents: Contents): Html {
  if (isBare(result)) return bareMarkup(result);
  const { title: check, verdict, cases } = result;
  const passed = cases.filter((one) => one.verdict === "pass");
  const number = cases.length === 1 ? "" : `${passed.length} of ${count(cases.length, "test case")}`;
  const example = passed.find(({ exchanges }) => exchanges.length > 0)?.exchanges.at(-1);
  const titles = passed.map(({ title }) => title).filter((title) => title !== "");
  const failed = cases.filter((one) => one.verdict === "fail");
  return html`<details class="check"${verdict === "fail" && html` open`}><summary>${withCode(capitalized(check))} <span class="soft">${number}</span></summary>
${failed.map((one) => failureMarkup(failureOf(one, result), contents))}
${cases.filter((one) => one.verdict === "error" || one.verdict === "not verified").map(otherCase)}
${titles.length > 0 && html`<ul class="cases">${titles.map((title) => html`<li>${title}</li>`)}</ul>`}
${verdict !== "fail" && example !== undefined && contents.examples.take(exchangeMarkup(example, contents.context, ofExample))}
</details>`;
}

function failureOf({ title, failure, exchanges }: CaseResult, { title: check }: CheckResult): ShownFailure {
  const exchange = failure?.exchange ?? exchanges.length - 1;
  const since = exchanges[exchange]?.startedAt ?? 0;
  return {
    title,
    repeat: repeatOf(failure ?? {}, check),
    expected: failure?.expected ?? "",
    found: failure?.found ?? "",
    exchange,
    // Older ones at the end belong to failures of response checks, which show them.
    exchanges: exchanges.filter(({ startedAt }, index) => index <= exchange || startedAt >= since),
  };
}

const otherCase = ({ title, verdict, reason = "" }: CaseResult): Html =>
  html`<p class="case"><span class="state ${verdictLabels[verdict].name}">${verdictLabels[verdict].word}</span> ${title} <span class="soft">${brief(reason, maxText)}</span></p>`;

function responseCheckMarkup(
  { title, responses, failed, failures }: ResponseCheckResult,
  contents: Contents,
): Html {
  const message = checkedMessage(contents.context);
  if (failed === 0)
    return html`<p class="check">Every ${message}: ${withCode(title)} <span class="soft">${checkedTimes(contents.context, responses)}</span></p>`;
  return html`<details class="check" open><summary>Every ${message}: ${withCode(title)} <span class="soft">${failedTimes(contents.context, failed, responses)}</span></summary>
${failures.map(({ exchange, ...failure }) => failureMarkup({ ...failure, title: "", exchange: 0, exchanges: exchange === null ? [] : [exchange] }, contents))}
</details>`;
}

interface ShownFailure {
  title: string;
  expected: string;
  found: string;
  exchanges: readonly RecordedExchange[];
  /** The index of the exchange that shows the failure. */
  exchange: number;
  /** The command that repeats it, with all exchanges. */
  repeat?: string | undefined;
}

/** A failure with all its exchanges; without them if the page is too long. The first of the page is open. */
function failureMarkup(
  { title, expected, found, exchanges, exchange, repeat }: ShownFailure,
  contents: Contents,
): Html {
  const heading = title !== "" && html`<h4>${title}</h4>`;
  const comparison = html`<dl><dt>Expected</dt><dd>${brief(expected, maxText)}</dd><dt>Found</dt><dd class="found">${brief(found, maxText)}</dd>${errorMarkup(exchanges[exchange], contents)}</dl>`;
  const isFirst = contents.isFirstFailure();
  const shown = exchanges.map((one, index) =>
    exchangeMarkup(one, contents.context, index === exchange ? ofFailure : besideFailure, {
      isOpen: isFirst && index === exchange,
      before: exchanges[index - 1],
    }),
  );
  const again = repeat !== undefined && html`<p class="soft">Repeat: <code>${repeat}</code></p>`;
  const full = html`<section class="case">${heading}\n${comparison}\n${again}\n${shown}</section>`;
  const short = html`<section class="case">${heading}\n${comparison}${omitted}</section>`;
  return contents.failures.take(full) ?? contents.comparisons.take(short) ?? omitted;
}

/** A link to the error type in the published reference; nothing without one. */
function errorMarkup(exchange: RecordedExchange | undefined, { context }: Contents): Html {
  const url = exchange && errorLink(exchange, context);
  return html`${url !== undefined && html`<dt>Error</dt><dd><a href="${url}">${errorName(exchange)}</a></dd>`}`;
}

/** `422 invalid_request`. */
const errorName = (exchange: RecordedExchange | undefined): string =>
  [exchange?.response.status, errorTypeIn(exchange?.response.body ?? "")].filter(Boolean).join(" ");

const omitted = new Html(
  `<p class="soft">The exchanges are omitted because this page is long: the JSON report includes them.</p>`,
);
