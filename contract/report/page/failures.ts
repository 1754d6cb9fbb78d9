import { count } from "../../../lib/count.ts";
import type { Html } from "../../../lib/html.ts";
import { diagnose } from "../causes.ts";
import type { ContractResult } from "../result.ts";
import type { Contents } from "./contents.ts";
import { html } from "./markup.ts";
import { causesMarkup } from "./overview.ts";
import { type Entry, requirementMarkup } from "./requirement.ts";

/** The requirements that fail without a common cause: the page begins with them. */
export function failuresOf(result: ContractResult, entries: readonly Entry[]): Entry[] {
  const ids = new Set(diagnose(result).others.flatMap((one) => one.ids));
  return entries.filter(({ id, verdict }) => verdict === "fail" && ids.has(id));
}

/** The failures, common causes first; nothing if there are none. */
export function failuresMarkup(result: ContractResult, failures: readonly Entry[], contents: Contents): Html {
  const causes = causesMarkup(result);
  if (failures.length === 0) return causes;
  const name = result.baseline === undefined ? "Failures" : "New failures";
  return html`<section class="topic" id="failures" aria-labelledby="failures-title">
${causes}
<h2 id="failures-title">${name} <span class="soft">${count(failures.length, "requirement")}</span></h2>
${failures.map((entry) => requirementMarkup(entry, contents))}
</section>`;
}
