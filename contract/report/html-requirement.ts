import type { ReportCase, ReportCheck, ReportResponseCheck } from "../../generated/schema-types.ts";
import { escapeHtml, Html, templateWith } from "../../lib/html.ts";
import { jsonOf } from "../../lib/objects.ts";
import { count, startOf, visible } from "../../lib/text.ts";
import { type Failure, lengthOf, type RecordedExchange } from "../engine/outcome.ts";
import { brief, capitalized } from "../text.ts";
import { checkedMessage, checkedTimes, failedTimes } from "./counts.ts";
import {
  curlOf,
  type ExchangeContext,
  errorLink,
  notesOf,
  placesIn,
  requirementLink,
  statusText,
} from "./exchange-text.ts";
import { type ContractResult, type RequirementVerdict, repeatOf, verdictsOf } from "./result.ts";

/** A requirement on the page. */
export interface Entry {
  id: string;
  text: string;
  verdict: PageVerdict;
  reason?: string;
}

/** How much of an exchange is shown, in characters: longer bodies are cut, longer curl commands omitted. */
const ofFailure = { body: 16_500, command: 20_000 };
const besideFailure = { body: 3000, command: 3000 };
const ofExample = { body: 1500, command: 2500 };
const maxText = 1200;
/** More checks of other requirements that pass are folded beside a failure, and so are exchanges: the failing one of more is marked. */
const maxUnfolded = 3;

/** A requirement with its verdict and checks. A check of several requirements is shown in full at one of them. */
export function requirementMarkup({ id, text, verdict, reason }: Entry, contents: Contents): Html {
  const { name } = verdictLabels[verdict];
  const checks = contents.checksOf(id);
  const home = checks.filter((check) => contents.homeOf(check) === id);
  const docs = requirementLink(id, contents.context);
  const anchor = contents.prefix + id;
  const others = checks.filter((check) => !home.includes(check));
  const passing = others.filter((check) => check.verdict === "pass");
  const isFolded = verdict === "fail" && passing.length > maxUnfolded;
  // What fails stands first.
  home.sort((one, other) => Number(other.verdict === "fail") - Number(one.verdict === "fail"));
  return html`<article class="requirement ${name}${isDecided(verdict) && " decided"}" id="${anchor}">
<h3><a href="#${anchor}">${id}</a> <span class="state ${name}">${capitalized(verdict)}</span>${docs !== undefined && html` <a class="docs" href="${docs}">Reference</a>`}</h3>
<p class="text">${withCode(text)}</p>
${reason !== undefined && html`<p class="reason">${withCode(brief(reason, maxText))}</p>`}
${home.map((check) => ("cases" in check ? checkMarkup(check, contents) : responseCheckMarkup(check, contents)))}
${others.filter(({ verdict: own }) => own !== "pass" || !isFolded).map((check) => elsewhereMarkup(check, contents))}
${isFolded && html`<details class="check"><summary>${count(passing.length, "other check")} that pass</summary>${passing.map((check) => elsewhereMarkup(check, contents))}</details>`}
</article>`;
}

/** Whether there is nothing to show of a check but its title. */
const isBare = (check: AnyCheck): boolean =>
  "cases" in check &&
  check.cases.every(
    ({ verdict, title, exchanges }) => verdict === "pass" && title === "" && exchanges.length === 0,
  );

const bareMarkup = ({ title }: AnyCheck): Html => html`<p class="check">${withCode(capitalized(title))}</p>`;

function elsewhereMarkup(check: AnyCheck, contents: Contents): Html {
  if (isBare(check)) return bareMarkup(check);
  const home = contents.homeOf(check);
  return html`<p class="check">${check.verdict === "fail" ? "Fails with" : "With"} <a href="#${contents.prefix}${home}">${home}</a>: ${withCode(check.title)}</p>`;
}

function checkMarkup(result: ReportCheck, contents: Contents): Html {
  if (isBare(result)) return bareMarkup(result);
  const { title: check, verdict, cases } = result;
  const passed = cases.filter((one) => one.verdict === "pass");
  const number = cases.length === 1 ? "" : `${passed.length} of ${count(cases.length, "test case")}`;
  const example = passed.find(({ exchanges }) => exchanges.length > 0)?.exchanges.at(-1);
  const titles = passed.map(({ title }) => title).filter((title) => title !== "");
  const failed = cases.flatMap(({ title, failure, exchanges: all }) => {
    if (failure === undefined) return [];
    const exchange = failure.exchange ?? all.length - 1;
    const since = all[exchange]?.startedAt ?? 0;
    // Older ones after it belong to what other test cases share.
    const exchanges = all.filter(({ startedAt }, index) => index <= exchange || startedAt >= since);
    return [{ ...failure, title, exchanges, exchange, repeat: repeatOf(failure, check) }];
  });
  return html`<details class="check"${verdict === "fail" && html` open`}><summary>${withCode(capitalized(check))} <span class="soft">${number}</span></summary>
${failed.map((one) => failureMarkup(one, contents))}
${cases.filter((one) => one.verdict === "error" || one.verdict === "not verified").map(otherCase)}
${titles.length > 0 && html`<ul class="cases">${titles.map((title) => html`<li>${title}</li>`)}</ul>`}
${verdict !== "fail" && example !== undefined && contents.examples(exchangeMarkup(example, contents.context, ofExample))}
</details>`;
}

const otherCase = ({ title, verdict, reason = "" }: ReportCase): Html =>
  html`<p class="case"><span class="state ${verdictLabels[verdict].name}">${capitalized(verdict)}</span> ${title} <span class="soft">${brief(reason, maxText)}</span></p>`;

function responseCheckMarkup(
  { title, responses, failed, failures }: ReportResponseCheck,
  contents: Contents,
): Html {
  const message = checkedMessage(contents.context);
  if (failed === 0)
    return html`<p class="check">Every ${message}: ${withCode(title)} <span class="soft">${checkedTimes(contents.context, responses)}</span></p>`;
  return html`<details class="check" open><summary>Every ${message}: ${withCode(title)} <span class="soft">${failedTimes(contents.context, failed, responses)}</span></summary>
${failures.map(({ exchange, ...failure }) => failureMarkup({ ...failure, title: "", exchange: 0, exchanges: exchange === null ? [] : [exchange] }, contents))}
</details>`;
}

interface ShownFailure extends Pick<Failure, "cause" | "expected" | "found"> {
  title: string;
  exchanges: readonly RecordedExchange[];
  /** The index of the exchange that shows the failure. */
  exchange: number;
  /** The command that repeats it, with all exchanges. */
  repeat?: string | undefined;
}

/** A failure with all its exchanges; without them if the page is too long. The first of the page is open. */
function failureMarkup(
  { title, cause, expected, found, exchanges, exchange, repeat }: ShownFailure,
  contents: Contents,
): Html {
  const heading = title !== "" && html`<h4>${title}</h4>`;
  const comparison = html`<dl>${cause !== undefined && html`<dt>Cause</dt><dd>${isolated(brief(cause, maxText))}</dd>`}<dt>Expected</dt><dd>${isolated(brief(expected, maxText))}</dd><dt>Found</dt><dd class="found">${isolated(brief(found, maxText))}</dd></dl>`;
  const { isFirst } = contents;
  contents.isFirst = false;
  const shown = exchanges.map((one, index) =>
    exchangeMarkup(one, contents.context, index === exchange ? ofFailure : besideFailure, {
      isOpen: index === exchange && (isFirst || exchanges.length > maxUnfolded),
      isFailing: index === exchange && exchanges.length > maxUnfolded,
      before: exchanges[index - 1],
      ...(index === exchange && { about: `${expected} ${found}` }),
    }),
  );
  const again = repeat !== undefined && html`<p class="soft">Repeat: <code>${repeat}</code></p>`;
  const full = html`<section class="case">${heading}\n${comparison}\n${again}\n${shown}</section>`;
  const short = html`<section class="case">${heading}\n${comparison}${omitted}</section>`;
  return contents.failures(full) ?? contents.comparisons(short) ?? omitted;
}

/** Text whose quoted parts from right to left leave the order of the rest as it is. */
const isolated = (text: string): Html[] =>
  text
    .split(/("[^"]*")/)
    .map((part) => (/^".*[\u0590-\u08ff]/s.test(part) ? html`<bdi>${part}</bdi>` : html`${part}`));

const omitted = new Html(
  `<p class="soft">The exchanges are omitted because this page is long: the JSON report includes them.</p>`,
);

/** A foldable exchange: the request, the response, and a curl command. */
function exchangeMarkup(
  exchange: RecordedExchange,
  context: ExchangeContext,
  { body, command }: typeof ofFailure,
  { isOpen = false, isFailing = false, before, about = "" }: Shown = {},
): Html {
  const { method, path, key, milliseconds, request, response } = exchange;
  const curl = curlOf(exchange, context);
  const docs = errorLink(exchange, context);
  const isSuccess = response.status >= 200 && response.status < 300;
  return html`${notesOf(exchange, context, before).map(({ label, text }) => html`<p class="hook">${capitalized(label)} <code>${brief(text, body)}</code></p>`)}<details class="exchange"${isOpen && html` open`}><summary>${isFailing && html`<span class="state fail">Fails</span> `}<code>${method} ${path}</code> <span class="status ${isSuccess ? "" : "rejected"}">${statusText(exchange)}</span> <span class="soft">${key !== undefined && key !== "full" && `key ${key}, `}${milliseconds} ms</span></summary>
<div class="sides"><figure><figcaption>Request</figcaption><pre tabindex="0">${headers(request.headers)}${bodyText(request.body ?? "", body)}</pre></figure>
<figure><figcaption>Response</figcaption><pre tabindex="0">${statusText(exchange)}
${headers(response.headers)}${marked(bodyText(response.body, body), about)}</pre></figure></div>
${docs !== undefined && html`<p class="soft"><a href="${docs}">What this error means</a></p>`}
${curl !== "" && curl.length <= command && curlMarkup(curl)}</details>`;
}

interface Shown {
  isOpen?: boolean;
  /** Whether it stands among others that show no failure. */
  isFailing?: boolean;
  /** The exchange above it. */
  before?: RecordedExchange | undefined;
  /** What failed: the page scrolls to the first property that it names. */
  about?: string;
}

function marked(body: string, about: string): Html {
  const [place] = placesIn(body, about);
  if (place === undefined) return html`${body}`;
  const { 0: name, index } = place;
  return html`${body.slice(0, index)}<mark>${name}</mark>${body.slice(index + name.length)}`;
}

const curlMarkup = (curl: string): Html =>
  html`<figure><figcaption>curl <button type="button" class="copy" hidden>Copy</button></figcaption><pre class="curl" tabindex="0">${curl}</pre></figure>`;

const headers = (given: Record<string, string>): string =>
  Array.from(Object.entries(given), ([name, value]) => `${name}: ${value}\n`).join("");

function bodyText(text: string, maxLength: number): string {
  if (text === "") return "";
  // JSON is indented; other text is unchanged.
  const shown = JSON.stringify(jsonOf(text), null, 2) ?? text;
  return `\n${shown.length <= maxLength ? shown : `${startOf(shown, maxLength)}... (${lengthOf(text)} characters in all)`}`;
}

/** Limits the size of one kind of content of a page, in bytes: the function returns markup that fits into what is left. */
function roomOf(bytes: number): (markup: Html) => Html | undefined {
  let left = bytes;
  return (markup) => {
    const size = Buffer.byteLength(markup.text);
    if (size > left) return undefined;
    left -= size;
    return markup;
  };
}

type AnyCheck = ReportCheck | ReportResponseCheck;

export type Contents = ReturnType<typeof contentsOf>;

/** What the parts of a page share. @param prefix of the anchors of requirements, on a page with several results */
export function contentsOf(context: ContractResult, prefix = "") {
  const verdicts = verdictsOf(context);
  return {
    context,
    prefix,
    /** For failures with all their exchanges; if that is used up, for what was expected and found. */
    failures: roomOf(1_900_000),
    comparisons: roomOf(900_000),
    /** For examples of what passes. */
    examples: roomOf(1_300_000),
    /** Whether the page has no failure yet. */
    isFirst: true,
    checksOf: (id: string): AnyCheck[] =>
      [...context.checks, ...context.responseChecks].filter(({ ids }) => ids.includes(id)),
    /** The requirement that shows a check in full: a failure, one that fails, not an expected failure. */
    homeOf: ({ ids, verdict }: AnyCheck): string => {
      const own = ids.filter((id) => verdicts.has(id));
      return own.find((id) => verdicts.get(id) === verdict) ?? own[0] ?? "";
    },
  };
}

/** A template in which invisible characters become codes. */
export const html = templateWith((text) => escapeHtml(visible(text)));

/** Text with `code` in backticks. */
export const withCode = (text: string): Html[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** A requirement outside the run has no verdict. */
export type PageVerdict = RequirementVerdict | "outside the run";

/** By verdict, in the order of the filter: the class of elements, and the mark in the overview. The style draws that of a failure. */
export const verdictLabels: Record<PageVerdict, Record<"name" | "mark" | "meaning", string>> = {
  fail: { name: "fail", mark: "", meaning: "a test case or a response fails" },
  error: { name: "error", mark: "!", meaning: "no complete response, or a bug of the suite" },
  "expected failure": { name: "expected", mark: "~", meaning: "it fails, and is listed" },
  "not verified": { name: "unverified", mark: "?", meaning: "something is missing to test it" },
  pass: { name: "pass", mark: "", meaning: "every test case passes" },
  "outside the run": { name: "outside", mark: "", meaning: "no check of this run is about it" },
};

/** What the squares of a page mean. @param isShort only the names of the verdicts */
export function legendMarkup(verdicts: readonly string[], isShort = false): Html {
  const shown = Object.entries(verdictLabels).filter(([verdict]) => verdicts.includes(verdict));
  return html`<ul class="legend">${shown.map(
    ([verdict, { name, mark, meaning }]) =>
      html`<li><span class="squares" aria-hidden="true"><span class="${name}">${mark}</span></span> <strong>${capitalized(verdict)}</strong>${!isShort && ` ${meaning}`}</li>`,
  )}</ul>`;
}

/** Whether there is anything to show of a requirement. */
export const isDecided = (verdict: PageVerdict): boolean =>
  verdict !== "not verified" && verdict !== "outside the run";
