import { readFile } from "node:fs/promises";
import { isObject } from "../../../lib/objects.ts";
import { UserError } from "../../../lib/user-error.ts";
import { readBundle } from "../../document/read-bundle.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { completeOperations } from "./complete-operations.ts";
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
  const found = await parsed(file);
  const missing = found === undefined ? [] : missingParts(found);
  if (found !== undefined && missing.length === 0) return found;
  throw new UserError(
    `${file} cannot be published as version ${name}: ${found === undefined ? "it is not a JSON object" : `it has no ${missing.join(", ")}`}`,
    {
      hint: "Give a bundled document of this contract, such as openapi.json of an earlier package.",
      exitCode: 2,
    },
  );
}

async function parsed(file: string): Promise<OpenApiDocument | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isObject(value) ? (value as unknown as OpenApiDocument) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
