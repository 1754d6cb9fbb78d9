import type { PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import type { TraceRow } from "../../trace/table.ts";
import { assertRendered } from "../parts/assert-rendered.ts";
import { requestText } from "../parts/request.ts";
import { responsesText } from "../parts/responses.ts";
import { code, joined, siteLink } from "../text/markdown.ts";
import { operationPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import { abilitiesOf } from "./abilities.ts";
import type { Page } from "./page.ts";
import { operationRequirements } from "./requirements.ts";
import type { Samples } from "./samples.ts";

export interface OperationSources {
  document: OpenApiDocument;
  requirements: TraceRow[];
  samples: Samples;
  guides: readonly Page[];
}

/** The page of one operation: samples, request, responses and requirements. */
export function operationPage(sources: OperationSources, placed: PlacedOperation): Page {
  const { document, requirements, samples, guides } = sources;
  const { id, operation } = placed;
  assertRendered("operation", operation);
  return {
    path: operationPath(id),
    title: operation.summary,
    method: placed.method,
    description: `${operation.summary}: parameters, body, responses, errors and examples of ${id}.`,
    text: joined(
      `<p class="endpoint"><code><b>${placed.method.toUpperCase()}</b> ${placed.path}</code> <code data-pagefind-weight="10">${id}</code></p>`,
      operation.deprecated === true ? "**Deprecated.** Do not use it in new code." : "",
      operation.description,
      [abilityText(placed), accountText(document, placed)].join(" ").trim(),
      guidesText(guides, id),
      smallPrint(operation),
      samplesText(samples, id),
      requestText(document, placed),
      responsesText(document, operation),
      operationRequirements(requirements, id),
    ),
  };
}

function abilityText(placed: PlacedOperation): string {
  const abilities = abilitiesOf(placed);
  if (abilities.length === 0) return `Requires no specific ${siteLink("ability", "abilities")}.`;
  const links = abilities.map((name) => siteLink(code(name), `abilities#${name.replaceAll(":", "")}`));
  return `Requires an API key with the ability ${links.join(", ")}.`;
}

/** What the tag of the operation requires of the account. */
function accountText({ tags }: OpenApiDocument, { operation }: PlacedOperation): string {
  const tag = tags.find(({ name }) => name === operation.tags[0]);
  const product = tag?.["x-product"];
  const required = [
    ...(product === undefined ? [] : [`the product ${code(product)}`]),
    ...(tag?.["x-requires-verified-domain"] === true ? ["a verified sending domain"] : []),
  ];
  return required.length === 0 ? "" : `The account must have ${required.join(" and ")}.`;
}

/** Links to the guides that link to the operation. */
function guidesText(guides: readonly Page[], id: string): string {
  const relevant = guides.filter(({ text }) => text.includes(`](site:${operationPath(id)})`));
  const links = relevant.map(({ title, path }) => siteLink(title, path));
  return links.length === 0 ? "" : `Guides: ${links.join(", ")}.`;
}

/** A heading for each language, which a script turns into tabs. */
function samplesText(samples: Samples, id: string): string {
  const parts = (samples.get(id) ?? []).map(({ title, block }) => joined(`#### ${title}`, block));
  return parts.length === 0 ? "" : joined("## Samples", "<sample-tabs>", ...parts, "</sample-tabs>");
}
