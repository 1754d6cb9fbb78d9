import type { PlacedOperation } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { operationAddress } from "./addresses.ts";
import { code, joined, siteLink } from "./markdown.ts";
import { smallPrint } from "./marks.ts";
import { answersText } from "./operation/answers.ts";
import { promisesText } from "./operation/promises.ts";
import { requestText } from "./operation/request.ts";
import type { Page } from "./page.ts";
import type { Samples } from "./samples.ts";
import { abilitiesOf } from "./tables/abilities.ts";
import type { Trace } from "./trace.ts";

/** What the page of an operation is made from. */
export interface OperationSources {
  document: OpenApiDocument;
  trace: Trace;
  samples: Samples;
  guides: readonly Page[];
}

/** The page of one operation: what it is for, how to call it, all that it takes, answers and promises. */
export function operationPage(sources: OperationSources, placed: PlacedOperation): Page {
  const { document, trace, samples, guides } = sources;
  const { id, operation } = placed;
  return {
    address: operationAddress(id),
    title: operation.summary,
    description: `${operation.summary}: parameters, body, answers, errors and examples of ${id}.`,
    text: joined(
      `<p class="call"><code><b>${placed.method.toUpperCase()}</b> ${placed.path}</code> <code data-pagefind-weight="10">${id}</code></p>`,
      operation.deprecated === true ? "**Deprecated.** Do not call it from new code." : "",
      operation.description,
      abilityText(placed),
      guidesText(guides, id),
      smallPrint(operation),
      samplesText(samples, id),
      requestText(document, placed),
      answersText(document, operation),
      promisesText(trace, id),
    ),
  };
}

function abilityText(placed: PlacedOperation): string {
  const abilities = abilitiesOf(placed);
  if (abilities.length === 0)
    return `Any key may call it, as far as ${siteLink("abilities", "abilities")} are specified.`;
  return `The key needs the ability ${abilities.map((name) => siteLink(code(name), `abilities#${name.replaceAll(":", "")}`)).join(", ")}.`;
}

/** The guides that lead to an operation: whoever comes from a search finds the whole story there. */
function guidesText(guides: readonly Page[], id: string): string {
  const telling = guides.filter(({ text }) => text.includes(`](site:${operationAddress(id)})`));
  const links = telling.map(({ title, address }) => siteLink(title, address));
  return links.length === 0 ? "" : `In the guides: ${links.join(", ")}.`;
}

/** The samples, a heading for each language; the site makes tabs of them where it can. */
function samplesText(samples: Samples, id: string): string {
  const shown = samples.get(id) ?? [];
  const parts = shown.map(({ title, block }) => joined(`#### ${title}`, block));
  return shown.length === 0 ? "" : joined("## How to call it", "<sample-tabs>", ...parts, "</sample-tabs>");
}
