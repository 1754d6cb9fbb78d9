import { readFile } from "node:fs/promises";
import { isObject, jsonOf } from "../../../lib/objects.ts";
import { usageError } from "../../../lib/user-error.ts";
import { operationsOf } from "../../document/operations.ts";
import { readBundle } from "../../document/read-bundle.ts";
import { dereference } from "../../document/references.ts";
import type { MediaType, OpenApiDocument, Operation, ResponseObject } from "../../document/types.ts";
import { missingParts } from "./document-problems.ts";
import type { SiteConfig } from "./site-config.ts";

/**
 * The document that a site describes: the bundle, or that of an earlier version, with the changes of the publisher.
 *
 * @throws UserError for an invalid overlay, or a document of an earlier version that has no site
 */
export async function publishedDocument(config: SiteConfig): Promise<OpenApiDocument> {
  const { version, versions, overlay, title, baseUrl } = config;
  const earlier = versions.find(({ name }) => name === version);
  const document = earlier === undefined ? await readBundle() : await earlierDocument(earlier);
  // An overlay belongs to the current document: an earlier one may lack its targets.
  const changed =
    overlay === undefined || earlier !== undefined ? document : await overlaid(document, overlay);
  if (title !== undefined) changed.info.title = title;
  if (baseUrl !== undefined) setBaseUrl(changed, baseUrl);
  return changed;
}

async function earlierDocument({
  name,
  document: file,
}: SiteConfig["versions"][number]): Promise<OpenApiDocument> {
  const found = jsonOf(await readFile(file, "utf8"));
  const document = found as OpenApiDocument;
  const missing = isObject(found) ? missingParts(document) : [];
  if (isObject(found) && missing.length === 0) return document;
  const reason = isObject(found) ? `it has no ${missing.join(", ")}` : "it is not a JSON object";
  throw usageError(
    `${file} cannot be published as version ${name}: ${reason}`,
    "Give a bundled document of this contract, such as openapi.json of an earlier package.",
  );
}

/** The parser of JSONPath is loaded for an overlay only. */
async function overlaid(document: OpenApiDocument, overlay: string): Promise<OpenApiDocument> {
  const { applyOverlay } = await import("./overlay.ts");
  const changed = (await applyOverlay(document, overlay)).states.at(-1) ?? document;
  completeOperations(changed);
  return changed;
}

function setBaseUrl({ servers }: OpenApiDocument, baseUrl: string): void {
  const variable = servers[0]?.variables?.base_url;
  if (variable !== undefined) variable.default = baseUrl;
  else if (servers[0] !== undefined) servers[0].url = baseUrl;
}

type RequestBody = NonNullable<Operation["requestBody"]>;

/**
 * Completes the operations that an overlay added: each has the security of the document unless it states its own, every
 * body is written out and has a schema and named examples, and the document lists the tags, so that the sidebar has a section for them.
 */
function completeOperations(document: OpenApiDocument): void {
  const { security = [] } = document as { security?: Operation["security"] };
  for (const { operation } of operationsOf(document)) {
    operation.security ??= security;
    // The contract writes its bodies out, so no page follows a reference here.
    if (operation.requestBody !== undefined)
      operation.requestBody = dereference<RequestBody>(document, operation.requestBody);
    for (const media of bodiesOf(document, operation)) completeBody(media);
    for (const name of operation.tags)
      if (!document.tags.some((tag) => tag.name === name)) document.tags.push({ name });
  }
}

const bodiesOf = (document: OpenApiDocument, { requestBody, responses }: Operation): MediaType[] =>
  [
    requestBody,
    ...Object.values(responses).map((response) => dereference<ResponseObject>(document, response)),
  ].flatMap((owner) => Object.values(owner?.content ?? {}));

function completeBody(media: Partial<MediaType> & { example?: unknown }): void {
  media.schema ??= {};
  media.examples ??= media.example === undefined ? {} : { example: { value: media.example } };
  delete media.example;
}
