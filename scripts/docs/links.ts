import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
import client from "../../client/package.json" with { type: "json" };
import { displayPath } from "../../lib/files.ts";
import { UserError } from "../../lib/user-error.ts";
import { root } from "../common/paths.ts";
import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { readWorkflows, workflowPath, workflowSource, workflowsOf } from "../document/workflows.ts";
import type { SiteConfig } from "./config/site-config.ts";
import {
  errorPath,
  mapPages,
  operationPath,
  type Page,
  pagesOf,
  type Site,
  schemaPath,
  unspecifiedPath,
  workflowPagePath,
} from "./page.ts";

/** Files of the project that guides link to, by their names on the site. Those of the document are from the document of the site. */
export const projectFiles: ReadonlyMap<string, string> = new Map(
  [
    "clients/python-openapi-python-client/openapi-python-client.yaml",
    "contract/config/contract.schema.json",
    "contract/report/contract-report.schema.json",
    "contract/client-suite/driver/driver-protocol.schema.json",
    "generated/errors.ts",
    "generated/openapi.json",
    "generated/openapi.yaml",
    "generated/openapi-3.0.json",
    "generated/openapi-flat.json",
    "sandbox/seed/demo.json",
    "sandbox/seed/seed.schema.json",
    "test/clients/kotlin-pom.xml",
  ].map((file) => [posix.basename(file), file]),
);

/** How an agent uses the API, in the project and on the site. */
export const skillFile = "skills/email-api/SKILL.md";

/** The file of the TypeScript client on the site. */
export const clientPackage = `${client.name}-${client.version}.tgz`;

/** The files of the site that are not pages but can be linked to. */
const siteFiles: readonly string[] = [
  ...projectFiles.keys(),
  clientPackage,
  "llms.txt",
  "llms-full.txt",
  "llms-optional.txt",
  skillFile,
  "postman.json",
  "redoc.html",
  workflowSource,
  ...readWorkflows().map(({ name }) => workflowPath(name)),
];

/** How to write links: to HTML pages or to Markdown files. */
export interface LinkOptions {
  pages: readonly Page[];
  /** The path of the site, ending with a slash. */
  base: string;
  form: "html" | "markdown";
}

export const markdownFile = ({ path }: Pick<Page, "path">): string => `${path || "index"}.md`;

/** The text of a page with its `site:` links resolved. @throws UserError that names the page and the unresolved link */
export const withLinks = (page: Page, { pages, base, form }: LinkOptions): string =>
  page.text.replaceAll(/\]\(site:([^)#]*)(#[^)]*)?\)/g, (_, path: string, anchor = "") => {
    if (siteFiles.includes(path)) return `](${base}${path})`;
    if (!pages.some((other) => other.path === path))
      throw new UserError(`${placeOf(page, path)} links to ${path}, which does not exist`, {
        hint: "Name a page by the path of its URL, such as /errors/ or /operations/send-email/; llms.txt of a build lists all pages. With `audience: client`, those for builders are left out.",
        exitCode: page.written === undefined ? 1 : 2,
      });
    const target = form === "markdown" ? markdownFile({ path }) : path && `${path}/`;
    return `](${base}${target}${anchor})`;
  });

/** The page, or the file and line of a publisher that have the link. */
function placeOf({ path, written }: Page, target: string): string {
  if (written === undefined) return `the page ${path || "index"}`;
  const name = posix.basename(target);
  // In the configuration, the URL of a card is a link, too.
  const linksOf = (line: string): string => /(\]\(|\burl"?:).*/.exec(line)?.[0] ?? "";
  const index = written.text.split("\n").findIndex((line) => linksOf(line).toLowerCase().includes(name));
  return `${displayPath(written.file)}${index < 0 ? "" : `:${index + 1}`}`;
}

const link = /\[((?:`[^`\n]*`|[^[\]`\n])*)\]\(site:([^)#]*)(#[^)]*)?\)/g;
const tryButton = /<div class="panel-foot" data-try="(\w+)"><\/div>/g;

/**
 * Makes links to operations, workflows, objects and rows of tables that the published document lacks text: an overlay removed them, or an
 * earlier version does not have them yet.
 * @param bundle the document that the guides are written for
 */
export function withoutRemovedPages(site: Site, document: OpenApiDocument, bundle: OpenApiDocument): Site {
  const published = new Set(pathsOf(document));
  const removed = new Set(pathsOf(bundle).filter((path) => !published.has(path)));
  if (removed.size === 0) return site;
  const changed = (page: Page): Page => ({
    ...page,
    text: page.text
      .replaceAll(link, (whole, label: string, path: string, anchor = "") =>
        removed.has(path) || removed.has(path + anchor) ? label : whole,
      )
      .replaceAll(tryButton, (whole, id: string) => (removed.has(operationPath(id)) ? "" : whole)),
  });
  const written = pagesOf(site).filter(({ source = "" }) => !source.startsWith("openapi/"));
  return { ...mapPages(site, changed), notes: [...removed].flatMap((path) => noteOn(path, written)) };
}

const pathsOf = (document: OpenApiDocument): string[] => [
  ...operationsOf(document).map(({ id }) => operationPath(id)),
  ...workflowsOf(document).map(({ name }) => workflowPagePath(name)),
  ...Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
    schema.title === undefined ? [] : [schemaPath(name, schema)],
  ),
  ...document["x-errors"].map(errorPath),
  ...document["x-unspecified"].map(({ id }) => unspecifiedPath(id)),
  ...Object.keys(document["x-limits"]).map((name) => `limits#${name}`),
  ...Object.keys(document["x-lifecycles"]).map((name) => `lifecycles#${name}`),
];

/** Guides still describe the operation, and a workflow with it has no page, which the publisher should know. */
function noteOn(path: string, written: readonly Page[]): string[] {
  const users = written.filter(({ text }) =>
    [...text.matchAll(link)].some(([, , to, anchor = ""]) => to === path || to + anchor === path),
  );
  const names = users.map((page) => page.path || "index").join(", ");
  const isWorkflow = path.startsWith(workflowPagePath(""));
  return [
    ...(isWorkflow ? [`${path} is left out: it uses an operation that the document lacks`] : []),
    ...(users.length > 0 ? [`${path} is not in the document: links to it are text in ${names}`] : []),
  ];
}

/**
 * Where the source of a page can be edited; undefined if that is unknown. The sources of the reference are known to a
 * configuration in a clone of the project only, and for the current version.
 */
export function editLink({ editUrl, source }: Page, config: SiteConfig): string | undefined {
  if (editUrl !== undefined || config.version !== undefined) return editUrl;
  const isInClone = !relative(root, config.folder).startsWith("..");
  if (source === undefined || !isInClone || !existsSync(join(root, source))) return undefined;
  return editUrlOf(config, join(root, source));
}

/** Where a file can be edited; undefined without the setting. */
export const editUrlOf = ({ folder, editUrl }: SiteConfig, file: string): string | undefined =>
  editUrl && new URL(relative(folder, file).replaceAll("\\", "/"), editUrl).href;
