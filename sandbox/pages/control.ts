import { type Html, html, type Insert } from "../../lib/html.ts";
import { count } from "../../lib/text.ts";
import type { HttpResponse } from "../api/context.ts";
import { originOf } from "../api/paths.ts";
import type { FailureEntry } from "../api/simulated-failure.ts";
import { controlOperations } from "../control/control.ts";
import { failureNames, methods, nameOf, paths } from "../control/failures.ts";
import type { Operation } from "../control/operation.ts";
import type { ApiKey } from "../domain/records.ts";
import { live, moment, type PageContext, renderPage, rows, userText, withCode } from "./components.ts";

const steps = [
  ["PT1M", "1 minute"],
  ["PT1H", "1 hour"],
  ["P1D", "1 day"],
  ["P7D", "7 days"],
  ["P30D", "30 days"],
] as const;

export async function clockPage(context: PageContext): Promise<HttpResponse> {
  const { services } = context;
  const now = services.clock.now();
  const due = await services.store.nextDue();
  const content = html`<p class="lead">Scheduled sends, deliveries, idempotency keys, rate limits, quotas and the overlap of replaced keys all use this clock.</p>
${live(
  "clock",
  html`<p class="big">${moment(now)} <small class="soft">UTC</small></p>
<p class="soft">${due === null ? "No message is due." : html`The next message is due at ${moment(due)}.`}</p>`,
)}
<h2>Advance</h2>
<form class="line" method="post" action="/clock">${steps.map(
    ([duration, label]) => html`<button name="advance" value="${duration}">${label}</button>`,
  )}
${due !== null && html`<button class="chief" name="to" value="${new Date(Math.max(due, now)).toISOString()}">To the next due message</button>`}</form>
<form class="line" method="post" action="/clock"><label>Time (UTC)<input type="datetime-local" name="local" required min="${new Date(now).toISOString().slice(0, 16)}" step="1"></label><button>Advance to this time</button></form>
<h2>Reset</h2>
<p class="soft">Deletes all messages and logged requests, and restores the contacts, suppressions and clock of the seed.</p>
<form method="post" action="/reset"><button class="harm">Reset the sandbox</button></form>`;
  return renderPage(context, { title: "Clock", section: "/clock", content });
}

/** The reference of the control API. */
export function controlPage(context: PageContext): HttpResponse {
  const content = html`<p class="lead">Operations for tests and scripts. They take and return JSON, and need no API key. Their paths are below <code>${originOf(context.request)}</code>.</p>
${rows(controlOperations.map(operationRow), "")}`;
  return renderPage(context, { title: "Control API", section: "/control", content });
}

const operationRow = ({ method, path, summary, fields = {}, example }: Operation): Html =>
  html`<span class="title mono">${method} ${path}</span>
<span class="more">${withCode(summary)}</span>
${Object.entries(fields).map(([name, { description }]) => html`<span class="more small soft"><code>${name}</code>: ${withCode(description)}</span>`)}
${example !== undefined && html`<span class="more small soft">Example body: <code>${JSON.stringify(example)}</code></span>`}`;

/** The active failures, with a form to add one. */
export function failuresPage(context: PageContext): HttpResponse {
  const { directory, failures } = context.services;
  const content = html`<p class="lead">Responses that API requests get instead of their usual ones. Tests add failures with <code>POST /sandbox/failures</code>.</p>
${live("failures", activeFailures(failures.pending()))}
${failureForm(directory.keys())}`;
  return renderPage(context, { title: "Failures", section: "/failures", content });
}

const activeFailures = (entries: readonly FailureEntry[]): Html =>
  html`${rows(
    entries.map((entry) => ({ key: entry.id, row: failureRow(entry) })),
    "No failures: API requests get their usual responses.",
  )}
${entries.length > 1 && html`<form method="post" action="/failures/end-all"><button class="harm">End all failures</button></form>`}`;

function failureRow(entry: FailureEntry): Html {
  const { id, requests, hits = 0 } = entry;
  const left = requests === null ? "until ended" : `${count(requests, "request")} left`;
  return html`<span class="title">${effectOf(entry)}</span>
<span class="side"><form class="inline" method="post" action="/failures/end"><input type="hidden" name="id" value="${id}"><button aria-label="End the failure ${effectOf(entry)}, ${id}">End</button></form></span>
<span class="small soft">${conditionsOf(entry)}</span>
<span class="side">${left}, ${hits} failed so far</span>`;
}

/** What happens to a request. */
function effectOf({ failure }: FailureEntry): string {
  if (failure.kind === "delay") return `Responds ${failure.milliseconds / 1000} s late`;
  if (failure.kind === "rate limit") return `429, Retry-After: ${failure.retryAfter}`;
  return failure.kind === "cut" ? "Closes the connection" : failureNames[nameOf(failure)];
}

function conditionsOf({ match = {} }: FailureEntry): Insert {
  const { method, path, key, share } = match;
  const target = [method, path].filter((part) => part !== undefined).join(" ");
  return [
    share !== undefined && share < 1 ? `${Number((share * 100).toFixed(2))}% of ` : "",
    target === "" ? "all API requests" : html`<code>${userText(target)}</code>`,
    key !== undefined && html` with the key ${userText(key)}`,
  ];
}

const option = (value: string, label: string): Html => html`<option value="${value}">${label}</option>`;

const shares = [
  ["", "All"],
  ["0.5", "Every second"],
  ["0.25", "Every fourth"],
  ["0.1", "Every tenth"],
] as const;

/** The fields of one failure only are hidden by the stylesheet while another is selected. */
const failureForm = (keys: ApiKey[]): Html => html`<h2>Add a failure</h2>
<form class="line failure" method="post" action="/failures">
<label>Failure<select name="failure">${Object.entries(failureNames).map(
  ([name, label]) => html`<option value="${name}"${name === "503" && html` selected`}>${label}</option>`,
)}</select></label>
<label class="for-limit">Retry-After in seconds<input type="number" name="retry_after" min="1" max="86400" value="1"></label>
<label class="for-delay">Delay<input name="delay" value="PT2S" pattern="\\d+|P.+" title="A duration such as PT2S, or a number of milliseconds"></label>
<label>Requests<input type="number" name="requests" min="1" max="1000000" value="1"></label>
<label class="check"><input type="checkbox" name="requests" value="all">until ended</label>
<label>Method<select name="method">${option("", "Any")}${methods.map((method) => option(method, method))}</select></label>
<label>Path<input name="path" list="paths" placeholder="Any" autocomplete="off" maxlength="200"></label>
<datalist id="paths">${[...paths.filter((path) => paths.some((other) => other.startsWith(`${path}/`))).map((path) => `${path}*`), ...paths].sort().map((path) => html`<option value="${path}"></option>`)}</datalist>
<label>API key<select name="key">${option("", "Any")}${keys.map(({ id, label, accountId }) => option(id, `${accountId}: ${label}`))}</select></label>
<label>Share<select name="share">${shares.map(([value, label]) => option(value, label))}</select></label>
<button class="chief">Add failure</button></form>`;
