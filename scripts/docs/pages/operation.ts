import { operations } from "../../../generated/operations.ts";
import { escapeHtml } from "../../../lib/html.ts";
import { firstSentence } from "../../../lib/text.ts";
import { abilitiesOf, type PlacedOperation } from "../../document/operations.ts";
import { baseUrlOf } from "../../document/requests.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import type { TraceRow } from "../../trace/trace.ts";
import { operationPath, type Page } from "../page.ts";
import { assertRendered, exampleList, examplesOf } from "../parts/examples.ts";
import { requestText } from "../parts/request.ts";
import {
  linksText,
  mediaOf,
  responsesOf,
  type StatusResponse,
  statusName,
  successText,
} from "../parts/responses.ts";
import { type Sample, type Samples, sampleTabs } from "../samples/samples.ts";
import { all, box, bulletList, code, joined, siteLink, type Tab, tabs } from "../text/markdown.ts";
import { requirementNotes } from "../text/requirement-notes.ts";
import { errorsText, isShared } from "./errors.ts";
import { operationRequirements } from "./requirements.ts";

interface OperationSources {
  document: OpenApiDocument;
  requirements: TraceRow[];
  samples: Samples;
  guides: readonly Page[];
}

/** The page of one operation: what it does, request and response, then the description of each part. */
export function operationPage(sources: OperationSources, placed: PlacedOperation): Page {
  const { document, requirements, samples, guides } = sources;
  const { id, operation } = placed;
  assertRendered("operation", operation);
  const { success, errors } = responsesOf(document, operation);
  const intro = [
    endpointText(document, placed),
    operation.deprecated === true ? "**Deprecated.** Do not use it in new code." : "",
    operation.description,
    factsText(document, placed),
    guidesText(guides, id),
    requirementNotes(operation),
  ];
  const panels = [requestPanel(id, samples.get(id) ?? []), responsePanel(document, id, success, errors)];
  const fields = [
    requestText(document, placed),
    successText(document, success),
    errorsText(document, errors, id),
    linksText(document, success),
    operationRequirements(requirements, id),
  ];
  return {
    path: operationPath(id),
    source: sourceOf(placed),
    title: operation.summary,
    method: placed.method,
    unlisted: ["request", "response-examples", "requirements"],
    brief: `${code(`${placed.method.toUpperCase()} ${placed.path}`)}. ${firstSentence(operation.description)}`,
    description: `${operation.summary}: parameters, body, responses, errors and examples of ${id}.`,
    // In this order on a narrow screen; a wide one shows the code beside the rest.
    text: box(
      "operation",
      box("intro", ...intro),
      box("code-column", box("code-sticky", ...panels)),
      box("fields-column", ...fields),
    ),
  };
}

/** The file of a path has its name. */
const sourceOf = ({ path }: PlacedOperation): string =>
  `openapi/paths/${path
    .replace(/^\/api\/v\d+\//, "")
    .replaceAll(/[{}]/g, "")
    .replaceAll("/", "-")}.yaml`;

/** Method and URL, with a button that copies the URL. */
function endpointText(document: OpenApiDocument, { method, path }: PlacedOperation): string {
  const host = escapeHtml(baseUrlOf(document));
  const data = `data-method="${method.toUpperCase()}" data-path="${escapeHtml(path)}"`;
  // The search finds the path as a word of its own.
  const url = `<code data-pagefind-weight="10"><b class="method ${method}">${method.toUpperCase()}</b> <span class="host" data-pagefind-ignore data-markdown-ignore>${host}</span>${escapeHtml(path)}</code>`;
  return `<p class="endpoint"><span ${data}></span>${url}<button class="copy" type="button" data-copy="${host}${escapeHtml(path)}" aria-label="Copy the URL"></button></p>`;
}

/** What a request needs, and the names of the operation. */
function factsText(document: OpenApiDocument, placed: PlacedOperation): string {
  const shown = [
    ["Ability", abilityText(placed)],
    ["Account needs", accountText(document, placed)],
    ["Operation id", `<span data-pagefind-weight="10">${code(placed.id)}</span>`],
  ].filter(([, text]) => text !== "");
  return box("facts", bulletList(shown.map(([name, text]) => `**${name}** ${text}`)));
}

function abilityText({ operation }: PlacedOperation): string {
  const abilities = abilitiesOf(operation);
  if (abilities.length === 0) return siteLink("unspecified", "abilities");
  return abilities.map((name) => siteLink(code(name), `abilities#${name.replaceAll(":", "")}`)).join(", ");
}

/** What the tag of the operation requires of the account. */
function accountText({ tags }: OpenApiDocument, { operation }: PlacedOperation): string {
  const tag = tags.find(({ name }) => name === operation.tags[0]);
  const product = tag?.["x-product"];
  const required = [
    product && `the ${product} product`,
    tag?.["x-requires-verified-domain"] && "a verified sending domain",
  ];
  return all(required.filter((text) => typeof text === "string"));
}

function guidesText(guides: readonly Page[], id: string): string {
  const relevant = guides.filter(({ text }) => text.includes(`](site:${operationPath(id)})`));
  const links = relevant.slice(0, 3).map(({ title, path }) => siteLink(title, path));
  return links.length === 0 ? "" : `Guides: ${links.join(", ")}.`;
}

/** The request in every language. Scripts add a way to send it to the element with `data-try`. */
const requestPanel = (operationId: string, samples: readonly Sample[]): string =>
  box(
    "panel request",
    "## Request",
    sampleTabs("language", samples),
    // The sandbox has no other operations, which an overlay may add.
    Object.hasOwn(operations, operationId) ? `<div class="panel-foot" data-try="${operationId}"></div>` : "",
  );

/** Examples of the responses by status. The errors that every operation has are on their own page. */
function responsePanel(
  document: OpenApiDocument,
  operationId: string,
  success: readonly StatusResponse[],
  errors: readonly StatusResponse[],
): string {
  const own = errors.filter(([status, response]) => !isShared(document, status, response));
  const tab = ([status, response]: StatusResponse): Tab => {
    const media = mediaOf(response);
    const examples = exampleList(examplesOf(document, media));
    // An operation that an overlay added may have none.
    const none = media === undefined ? "No body." : "No example.";
    const label = `<span class="status-${status.slice(0, 1)}">${status.replace("XX", "xx")}</span>`;
    return { label, text: joined(`**${statusName(status)}**`, examples || none) };
  };
  const parts = [...success.map(tab), ...own.map((error) => ({ ...tab(error), isSiteOnly: true }))];
  return box(
    "panel response",
    "## Response examples",
    tabs({ name: `response-${operationId}`, legend: "Status", className: "lines" }, parts),
  );
}
