import { escapeHtml } from "../../../lib/html.ts";
import { operationsOf } from "../../document/operations.ts";
import { dereference, referencesIn } from "../../document/references.ts";
import { baseUrlOf } from "../../document/requests.ts";
import { headerNames } from "../../document/responses.ts";
import type { Header, OpenApiDocument, Parameter, ResponseObject } from "../../document/types.ts";
import { kebab, type Page } from "../page.ts";
import { assertRendered, exampleList, examplesOf } from "../parts/examples.ts";
import { parameterEntry } from "../parts/request.ts";
import { headerEntry, headersText, mediaOf } from "../parts/responses.ts";
import {
  box,
  bulletList,
  code,
  entry,
  fieldList,
  joined,
  operationLinks,
  siteLink,
} from "../text/markdown.ts";
import { requirementNotes } from "../text/requirement-notes.ts";
import { errorLine, errorRowsOf, unexpectedResponses } from "./errors.ts";

/** What applies to every request: base URL, conventions, response headers, and the errors of every path. */
export function makingRequestsPage(document: OpenApiDocument): Page {
  const { info, tags, servers } = document;
  return {
    path: "making-requests",
    source: "openapi/openapi.yaml",
    title: "Making requests",
    description: "What applies to every request: base URL, formats, response headers and common errors.",
    text: joined(
      info.description,
      requirementNotes(info),
      "## Base URL",
      servers.map(serverText).join("\n"),
      `Authentication is described under ${siteLink("Keys and abilities", "abilities")}.`,
      "## Operation groups",
      tags.map((tag) => entry(`**${tag.name}** ${tag.description ?? ""}`, requirementNotes(tag))).join("\n"),
      "## Response headers",
      "The page of each operation shows which of these headers its responses have.",
      fieldList(...headerEntries(document)),
      "## Errors of every path",
      `Errors of requests with a wrong path or method. A proxy can add others, such as a redirect: see ${unexpectedResponses}.`,
      ...Object.entries(document["x-gateway-responses"] ?? {}).map(([status, reference]) =>
        gatewayText(document, status, dereference<ResponseObject>(document, reference)),
      ),
      pagesText(document),
      "## Examples",
      `All examples are valid at ${code(document["x-example-time"])}. To send them unchanged, choose "Try it" on the page of an operation, or start the ${siteLink("sandbox", "guides/sandbox")} at that time: \`npm run sandbox -- --start-at examples\`.`,
      "## OpenAPI document",
      documentText(document),
    ),
  };
}

function gatewayText(document: OpenApiDocument, status: string, response: ResponseObject): string {
  assertRendered("response", response);
  const rows = errorRowsOf(document, status);
  return joined(
    `### ${status}`,
    // The response of a single error often has the same description.
    rows.some(({ when }) => when === response.description) ? "" : response.description,
    bulletList(rows.map(errorLine)),
    requirementNotes(response),
    box("panel response", exampleList(examplesOf(document, mediaOf(response)))),
    headersText(document, [[status, response]]),
  );
}

const serverText = (server: OpenApiDocument["servers"][number]): string =>
  entry(`${code(baseUrlOf({ servers: [server] }))}: ${server.description ?? ""}`, requirementNotes(server));

/** Each header by the name that is sent, and the operations that send it, if only some do. */
function headerEntries(document: OpenApiDocument): string[] {
  const operations = operationsOf(document).map(({ id, operation }) => ({
    id,
    pointers: referencesIn(document, [operation]),
  }));
  const nameOf = (component: string): string => headerNames(document).get(component) ?? component;
  const components = Object.groupBy(Object.keys(document.components.headers ?? {}), nameOf);
  return Object.entries(components).map(([name, same = []]) => {
    const pointersToIt = same.map((component) => `#/components/headers/${component}`);
    const [$ref = ""] = pointersToIt;
    const header = dereference<Header>(document, { $ref });
    const users = operations.filter(({ pointers }) => pointersToIt.some((pointer) => pointers.has(pointer)));
    const isOfSome = users.length > 0 && users.length < operations.length;
    const note = isOfSome ? `In responses of ${operationLinks(users.map(({ id }) => id))}.` : "";
    return headerEntry(document, { id: kebab(name), name }, header, note);
  });
}

/** Where results have pages, and the parameters of those operations, which the document does not have. */
function pagesText(document: OpenApiDocument): string {
  const used = new Set(operationsOf(document).flatMap(({ parameters }) => parameters));
  const entries = Object.values(document.components.parameters ?? {})
    .map((reference) => dereference<Parameter>(document, reference))
    .filter((parameter) => !used.has(parameter))
    .map((parameter) => parameterEntry(document, parameter));
  const { Page: page } = document.components.schemas ?? {};
  if (entries.length === 0 || page === undefined) return "";
  const text = `${page.description} See ${siteLink("Page", "objects/page")}.`;
  return joined("## Pages of results", text, fieldList(...entries));
}

const documentText = ({ info: { title, summary, version, license, contact } }: OpenApiDocument): string =>
  [
    `${escapeHtml(title)}, version ${version}. ${summary ?? ""} See ${siteLink("Downloads", "downloads")}.`,
    license && `License: ${license.name}.`,
    contact && `Contact: ${Object.values(contact).map(escapeHtml).join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
