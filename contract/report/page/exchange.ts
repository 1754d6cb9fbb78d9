import type { Html } from "../../../lib/html.ts";
import type { RecordedExchange } from "../../engine/outcome.ts";
import { brief, capitalized } from "../../text.ts";
import { curlOf, type ExchangeContext } from "../curl.ts";
import { errorLink } from "../error-link.ts";
import { notesOf, statusText } from "../notes.ts";
import { html } from "./markup.ts";

/** How much of an exchange is shown, in characters. */
export interface Extent {
  /** Longer bodies are cut. */
  body: number;
  /** A longer curl command is omitted. */
  command: number;
}

/**
 * A foldable exchange: the request, the response, and a curl command.
 * @param before the exchange above it
 */
export function exchangeMarkup(
  exchange: RecordedExchange,
  context: ExchangeContext,
  { body, command }: Extent,
  { isOpen = false, before }: { isOpen?: boolean; before?: RecordedExchange | undefined } = {},
): Html {
  const { method, path, key, milliseconds, request, response } = exchange;
  const curl = curlOf(exchange, context);
  const docs = errorLink(exchange, context);
  const isSuccess = response.status >= 200 && response.status < 300;
  return html`${notesOf(exchange, context, before).map(({ label, text }) => html`<p class="hook">${capitalized(label)} <code>${brief(text, body)}</code></p>`)}<details class="exchange"${isOpen && html` open`}><summary><code>${method} ${path}</code> <span class="status ${isSuccess ? "" : "rejected"}">${statusText(exchange)}</span> <span class="soft">${key !== undefined && key !== "full" && `key ${key}, `}${milliseconds} ms</span></summary>
<div class="sides"><figure><figcaption>Request</figcaption><pre tabindex="0">${headers(request.headers)}${bodyText(request.body ?? "", body)}</pre></figure>
<figure><figcaption>Response</figcaption><pre tabindex="0">${statusText(exchange)}
${headers(response.headers)}${bodyText(response.body, body)}</pre></figure></div>
${docs !== undefined && html`<p class="soft"><a href="${docs}">What this error means</a></p>`}
${curl !== "" && curlMarkup(curl, command)}</details>`;
}

const curlMarkup = (curl: string, maxLength: number): Html =>
  html`<figure><figcaption>curl${curl.length <= maxLength && html` <button type="button" class="copy" hidden>Copy</button>`}</figcaption>${
    curl.length > maxLength
      ? html`<p class="soft">The curl command has ${curl.length.toLocaleString("en")} characters. The JSON and HAR reports include the request.</p>`
      : html`<pre class="curl" tabindex="0">${curl}</pre>`
  }</figure>`;

const headers = (given: Record<string, string>): string =>
  Object.entries(given)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");

function bodyText(text: string, maxLength: number): string {
  if (text === "") return "";
  const shown = pretty(text);
  return `\n${shown.length <= maxLength ? shown : `${shown.slice(0, maxLength).toWellFormed()}... (${text.length} characters in all)`}`;
}

/** JSON is indented; other text is unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
