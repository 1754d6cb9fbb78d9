import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../common/paths.ts";
import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import type { SiteConfig } from "./config/site-config.ts";
import type { Page } from "./pages/page.ts";
import { operationPath, schemaPath } from "./text/page-paths.ts";

/** The sources of generated pages that are about neither an operation nor an object; of several files, the first to read. */
const files: Readonly<Record<string, string>> = {
  "making-requests": "openapi.yaml",
  abilities: "abilities.yaml",
  errors: "errors.yaml",
  limits: "limits.yaml",
  idempotency: "parameters/IdempotencyKeyParameter.yaml",
  lifecycles: "lifecycles.yaml",
  simulator: "simulator.yaml",
  versioning: "versioning.yaml",
  unspecified: "requirements/unspecified.yaml",
  requirements: "requirements/general.yaml",
  objects: "openapi.yaml",
  operations: "openapi.yaml",
  "objects/values": "openapi.yaml",
};

/**
 * Where the source of a page can be edited; undefined if that is unknown. The sources of the reference are known to a
 * configuration in a clone of the project only, and for the current version.
 */
export function editLink(document: OpenApiDocument, page: Page, config: SiteConfig): string | undefined {
  if (page.editUrl !== undefined || config.version !== undefined) return page.editUrl;
  const source = page.source ?? openapiSource(document, page.path);
  const isInClone = !relative(root, config.folder).startsWith("..");
  if (source === undefined || !isInClone || !existsSync(join(root, source))) return undefined;
  return editUrlOf(config, join(root, source));
}

/** Where a file can be edited; undefined without the setting. */
export const editUrlOf = ({ folder, editUrl }: SiteConfig, file: string): string | undefined =>
  editUrl && new URL(relative(folder, file).replaceAll("\\", "/"), editUrl).href;

function openapiSource(document: OpenApiDocument, path: string): string | undefined {
  const operation = operationsOf(document).find(({ id }) => operationPath(id) === path);
  // The files of paths and schemas have the names of these.
  if (operation !== undefined) {
    const name = operation.path.replace(/^\/api\/v\d+\//, "").replaceAll(/[{}]/g, "");
    return `openapi/paths/${name.replaceAll("/", "-")}.yaml`;
  }
  const schemas = Object.entries(document.components.schemas ?? {});
  const [schema] = schemas.find(([name, value]) => schemaPath(name, value) === path) ?? [];
  const file = schema === undefined ? files[path] : `schemas/${schema}.yaml`;
  return file && `openapi/${file}`;
}
