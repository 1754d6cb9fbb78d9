import { type Html, html } from "../../lib/html.ts";
import { originOf } from "../api/path-matcher.ts";
import { controlOperations } from "../control/control.ts";
import type { Operation } from "../control/operation.ts";
import type { SiteResponse } from "../control/response.ts";
import { type PageContext, rows, withCode } from "./components.ts";
import { renderPage } from "./layout.ts";

/** The reference of the control API. */
export function controlPage(context: PageContext): SiteResponse {
  const content = html`<p class="lead">Operations for tests and scripts. They take and return JSON, and need no API key. Their paths are below <code>${originOf(context.request)}</code>.</p>
${rows(controlOperations.map(operationRow), "")}`;
  return renderPage(context, { title: "Control API", section: "/control", content });
}

const operationRow = ({ method, path, summary, fields = {}, example }: Operation): Html =>
  html`<span class="title mono">${method} ${path}</span>
<span class="more">${withCode(summary)}</span>
${Object.entries(fields).map(([name, { description }]) => html`<span class="more small soft"><code>${name}</code>: ${withCode(description)}</span>`)}
${example !== undefined && html`<span class="more small soft">Example body: <code>${JSON.stringify(example)}</code></span>`}`;
