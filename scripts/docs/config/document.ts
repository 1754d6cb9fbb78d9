import { readFile } from "node:fs/promises";
import { readBundle } from "../../document/read-bundle.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { completeOperations } from "./complete-operations.ts";
import type { SiteConfig } from "./site-config.ts";

/**
 * The document that a site describes: the bundle, or that of an earlier version, with the changes of the publisher.
 *
 * @throws UserError for an invalid overlay
 */
export async function publishedDocument(config: SiteConfig): Promise<OpenApiDocument> {
  const { version, versions, overlay, title, baseUrl } = config;
  const earlier = versions.find(({ name }) => name === version);
  const document =
    earlier === undefined
      ? await readBundle()
      : (JSON.parse(await readFile(earlier.document, "utf8")) as OpenApiDocument);
  // An overlay belongs to the current document: an earlier one may lack its targets.
  const changed =
    overlay === undefined || earlier !== undefined ? document : await overlaid(document, overlay);
  if (title !== undefined) changed.info.title = title;
  if (baseUrl !== undefined) setBaseUrl(changed, baseUrl);
  return changed;
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
