import { count } from "../../../lib/count.ts";
import type { Html } from "../../../lib/html.ts";
import {
  coverageColumns,
  coverageLine,
  coverageNote,
  coverageRows,
  incompleteKinds,
  missingItems,
} from "../coverage.ts";
import type { ContractResult } from "../result.ts";
import { html } from "./markup.ts";

/** What the tests exercised, as a table, and what they did not, folded. */
export function coverageMarkup({ coverage }: ContractResult): Html {
  if (coverage === undefined) return html``;
  return html`<section class="overview" aria-labelledby="coverage">
<h2 id="coverage">${coverageLine(coverage)}</h2>
<table class="numbers"><thead><tr>${coverageColumns.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>
${coverageRows(coverage).map(
  ([title = "", ...cells]) =>
    html`<tr><th scope="row">${title}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table>
${incompleteKinds(coverage).map(
  (one) =>
    html`<details class="check"><summary>${count(one.missing.length, "item")} not covered: ${one.kind}</summary><p>Of ${one.of}:</p><ul class="groups">${missingItems(one).map((label) => html`<li>${label}</li>`)}</ul></details>
`,
)}
<p class="soft">${coverageNote}</p>
</section>`;
}
