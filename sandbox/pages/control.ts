import { type Html, html } from "../../lib/html.ts";
import type { HttpResponse } from "../api/context.ts";
import { originOf } from "../api/paths.ts";
import { controlOperations } from "../control/control.ts";
import type { Operation } from "../control/operation.ts";
import { live, moment, type PageContext, renderPage, rows, withCode } from "./components.ts";

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
