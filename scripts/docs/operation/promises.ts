import { requirementAddress } from "../addresses.ts";
import { entry, joined, siteLink } from "../markdown.ts";
import type { Trace, TracedRequirement } from "../trace.ts";

/**
 * The promises that concern an operation, each with the checks that verify it. Those that concern every operation alike
 * are told on the page of all requirements, which search leads to.
 */
export function promisesText(trace: Trace, operationId: string): string {
  const concerned = trace.requirements.filter(({ operations }) => operations.includes(operationId));
  return joined(
    "## What is promised",
    `<details data-pagefind-ignore>\n<summary>${concerned.length} promises concern this operation: what they say, and how the contract suite verifies them</summary>`,
    concerned.map(promiseText).join("\n"),
    "</details>",
  );
}

function promiseText({ id, text, checks, excluded }: TracedRequirement): string {
  const laws = [...new Set(checks.map(({ law }) => law))];
  const how = laws.length === 0 ? `*Not verified: ${excluded ?? ""}*` : `*Verified: ${laws.join("; ")}.*`;
  return entry(`${siteLink(id, requirementAddress(id))} ${text}  \n${how}`);
}
