import type { RecordedExchange } from "../../engine/outcome.ts";
import { curlOf, type Origin } from "../curl.ts";
import { html, type Markup } from "./markup.ts";

/** How much of an exchange is shown. */
export interface Extent {
  /** Of each body, in characters. */
  body: number;
  /** Of the command that repeats it, in characters: a longer one is left out. */
  command: number;
}

/** An exchange to unfold: what was sent, what came back, and a command that repeats it. */
export function exchangeMarkup(
  exchange: RecordedExchange,
  origin: Origin,
  { body, command }: Extent,
  isOpen = false,
): Markup {
  const { method, path, key, milliseconds, sent, received } = exchange;
  const curl = curlOf(exchange, origin);
  const good = received.status >= 200 && received.status < 300;
  return html`<details class="exchange"${isOpen && html` open`}><summary><code>${method} ${path}</code> <span class="status ${good ? "" : "refused"}">${received.status}</span> <span class="soft">${key !== undefined && key !== "full" && `key ${key}, `}${milliseconds} ms</span></summary>
<div class="sides"><figure><figcaption>Sent</figcaption><pre tabindex="0">${headers(sent.headers)}${bodyText(sent.body ?? "", body)}</pre></figure>
<figure><figcaption>Received</figcaption><pre tabindex="0">${received.status}
${headers(received.headers)}${bodyText(received.body, body)}</pre></figure></div>
<figure><figcaption>Send it again</figcaption>${
    curl.length > command
      ? html`<p class="soft">The command is ${curl.length.toLocaleString("en")} characters long. The reports in JSON and HAR have the call.</p>`
      : html`<pre class="curl" tabindex="0">${curl}</pre>`
  }</figure></details>`;
}

const headers = (given: Record<string, string>): string =>
  Object.entries(given)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");

function bodyText(text: string, longest: number): string {
  if (text === "") return "";
  const shown = pretty(text);
  return `\n${shown.length <= longest ? shown : `${shown.slice(0, longest).toWellFormed()}... (${text.length} characters in all)`}`;
}

/** JSON with a line for each entry; another text as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
