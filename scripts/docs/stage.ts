import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { childEnvironment } from "../../contract/engine/child-environment.ts";
import { exampleTime } from "../../generated/examples.ts";
import { operations } from "../../generated/operations.ts";
import { escapeHtml } from "../../lib/html.ts";
import { UserError } from "../../lib/user-error.ts";
import demo from "../../sandbox/seed/demo.json" with { type: "json" };
import { bundleFiles } from "../bundle/bundle.ts";
import { isPackaged, root } from "../common/paths.ts";
import { sandboxUrl } from "../common/sandbox-url.ts";
import { editionFiles } from "../document/editions.ts";
import { errorsFile } from "../document/error-file.ts";
import { operationsOf, type PlacedOperation } from "../document/operations.ts";
import { readBundle } from "../document/read-bundle.ts";
import { dereference } from "../document/references.ts";
import { baseUrlOf } from "../document/requests.ts";
import type { Example, OpenApiDocument, Parameter } from "../document/types.ts";
import { workflowFiles } from "../document/workflows.ts";
import { documentForClients } from "./audience.ts";
import { clientPackage, editLink, type LinkOptions, markdownFile, projectFiles, withLinks } from "./links.ts";
import { type Area, type HeadElement, type Page, pagesOf, type Site, type SiteVersion } from "./page.ts";
import { sampleRequests } from "./samples/samples.ts";
import { searchElements } from "./search/keywords.ts";
import { apiDescription, siteData } from "./site-data.ts";
import { markUnspecified } from "./text/requirement-notes.ts";
import { textFiles } from "./text-files.ts";
import { writeBrand } from "./theme.ts";

/**
 * Writes the input of Astro: the files of `docs/site`, every page as Markdown with front matter, and the static files.
 * @param folder a folder that does not exist yet
 * @param versionPaths the paths of the pages of the current version, then of each earlier one
 */
export async function stageSite(version: SiteVersion, folder: string, versionPaths: readonly string[][]) {
  const { site, config } = version;
  const document = config.audience === "client" ? documentForClients(version.document) : version.document;
  await cp(join(root, "docs/site"), folder, { recursive: true });
  // Astro compiles the packages of components that a package.json lists.
  const dependencies = { "@astrojs/starlight": "*", astro: "*" };
  await write(join(folder, "package.json"), JSON.stringify({ type: "module", dependencies }));
  const astro = findPackageJSON("astro", import.meta.url) ?? "";
  await symlink(dirname(dirname(astro)), join(folder, "node_modules"), "junction");
  const pages = pagesOf(site);
  const options: LinkOptions = { pages, base: config.base, form: "html" };
  const files = new Map([
    ...bundleFiles(document),
    ...editionFiles(document),
    ...workflowFiles(document),
    ["errors.ts", errorTable(document)],
    ...(await textFiles(version)),
  ]);
  const publicFolder = join(folder, "public");
  const data = siteData(version, versionPaths);
  const headElements = searchElements(document);
  await Promise.all([
    ...pages.map((page) =>
      write(
        join(folder, "src/content/docs", markdownFile(page)),
        astroPage(version, page, options, headElements.get(page.path)),
      ),
    ),
    writeNotFoundPage(folder, data),
    write(join(folder, "src/site.json"), JSON.stringify(data)),
    writeBrand(config, folder),
    ...[...files].map(([name, text]) => write(join(publicFolder, name), text)),
    writeClientPackage(publicFolder),
    ...[...projectFiles]
      .filter(([name]) => !files.has(name) && pages.some(({ text }) => text.includes(`](site:${name})`)))
      .map(([name, file]) => cp(join(root, file), join(publicFolder, name))),
    postmanCollection(document).then((text) => write(join(publicFolder, "postman.json"), text)),
    writeRedocPage(document, join(publicFolder, "redoc.html")),
    writeTry(document, join(publicFolder, "try")),
  ]);
  await addSizes(join(folder, "src/content/docs/downloads.md"), publicFolder);
}

/** The page of downloads says how large each file is. */
async function addSizes(page: string, publicFolder: string): Promise<void> {
  const link = /\]\(\/(?:[^)]*\/)?([\w.-]+\.[a-z]+)\)/g;
  const withSize = (target: string, name: string): string => {
    const file = statSync(join(publicFolder, name), { throwIfNoEntry: false });
    return file ? `${target}<span data-markdown-ignore> (${Math.ceil(file.size / 1_000)} kB)</span>` : target;
  };
  await write(page, (await readFile(page, "utf8")).replaceAll(link, withSize));
}

/** The file of the errors, for readers who copy it into their projects. */
export const errorTable = (document: OpenApiDocument): string =>
  `// Error table of ${document.info.title} ${document.info.version}. Copy it into your project.\n\n${errorsFile(document)}`;

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** @param headElements what the search finds the page by */
function astroPage(
  { document, site, config }: SiteVersion,
  page: Page,
  options: LinkOptions,
  headElements: readonly HeadElement[] = [],
): string {
  const href = `${options.base}${markdownFile(page)}`;
  const section = site.sections.find(({ pages }) => pages.includes(page));
  const linked = withLinks(page, options);
  // The sentences of a guide belong together.
  const text = page.path.startsWith("guides/") ? linked : markUnspecified(linked);
  const frontMatter = {
    title: page.title,
    description: page.description,
    head: [
      { tag: "link", attrs: { rel: "alternate", type: "text/markdown", href } },
      // Starlight does not escape it, and would have the name of the site twice on the first page.
      { tag: "title", content: escapeHtml([...new Set([page.title, document.info.title])].join(" | ")) },
      ...(page === site.start ? [apiDescription(document, config)] : []),
      ...headElements,
    ],
    kicker: section?.title,
    area: page.path === "downloads" || page.path === "changelog" ? page.path : section?.area,
    home: page === site.start,
    sandbox: text.includes("data-try"),
    requirements: linked.includes("<small") || linked.includes("requirements-only"),
    unlisted: page.unlisted,
    ...endsOfArea(site, page, section?.area),
    markdown: href,
    editUrl: editLink(page, config) ?? false,
  };
  return `---\n${stringify(frontMatter)}---\n\n${text}\n`;
}

/** The links to the previous and the next page stay in the area of the page. */
function endsOfArea({ sections }: Site, page: Page, area?: Area): { prev?: false; next?: false } {
  const pages = sections
    .filter((section) => section.area === area)
    .flatMap((section) => section.pages)
    .filter(({ isHelper = false }) => !isHelper);
  return { ...(page === pages[0] && { prev: false }), ...(page === pages.at(-1) && { next: false }) };
}

/** Static file servers serve it for a missing page. A host that does not add the slash of a folder gets it there. */
async function writeNotFoundPage(folder: string, { areas, base, title: site }: ReturnType<typeof siteData>) {
  const links = [{ title: "Overview", href: base }, ...areas].map(
    ({ title, href }) => `- [${title}](${href})`,
  );
  const text = await readFile(join(folder, "404.md"), "utf8");
  await write(
    join(folder, "src/content/docs/404.md"),
    text
      .replace("{{title}}", () => escapeHtml(site).replaceAll("'", "''"))
      .replace("{{links}}", () => links.join("\n")),
  );
}

/** Writes the package of the TypeScript client, which readers install from its file. */
async function writeClientPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The installed package has no sources.
  if (isPackaged) await cp(join(root, "dist", clientPackage), join(folder, clientPackage));
  else await (await import("../../client/build.ts")).packClient(folder);
}

/** What `convertV2` of openapi-to-postmanv2 passes to its callback. */
interface Conversion {
  reason?: string;
  output?: { type: string; data: object }[];
}

/** A Postman collection as JSON. Its requests have the examples of the document and a new idempotency key each. */
async function postmanCollection(document: OpenApiDocument): Promise<string> {
  const copy = structuredClone(document);
  dereference<Parameter>(copy, { $ref: "#/components/parameters/IdempotencyKeyParameter" }).example =
    "{{$guid}}";
  const { convertV2 } = createRequire(import.meta.url)("openapi-to-postmanv2");
  const conversion: Conversion = await promisify(convertV2)(
    { type: "string", data: JSON.stringify(copy) },
    { parametersResolution: "Example", folderStrategy: "Tags" },
  );
  const collection = conversion.output?.find(({ type }) => type === "collection")?.data;
  if (collection === undefined)
    throw new UserError(`cannot create the Postman collection: ${conversion.reason ?? ""}`);
  const variable = [
    { key: "baseUrl", value: baseUrlOf(document) },
    { key: "bearerToken", value: "", description: "The API key." },
  ];
  return `${JSON.stringify({ ...collection, variable }, null, 2)}\n`;
}

/** Writes a single-page reference by Redocly to `file`, an absolute path. The page loads nothing from other hosts. */
async function writeRedocPage(document: OpenApiDocument, file: string): Promise<void> {
  const program = join(createRequire(import.meta.url).resolve("@redocly/cli/package.json"), "../bin/cli.js");
  const source = `${file}.json`;
  // Redocly shows the variables of a URL, not their values.
  const servers = document.servers.map(({ description, ...server }) => ({
    description,
    url: baseUrlOf({ servers: [server] }),
  }));
  await writeFile(source, JSON.stringify({ ...document, servers }));
  const args = ["build-docs", source, "--output", file, "--inlineBundle"];
  const env = childEnvironment({ REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });
  await promisify(execFile)(process.execPath, [program, ...args], { env }).catch((cause: unknown) => {
    throw new UserError(`Redocly cannot build redoc.html: ${String(cause)}`, { cause });
  });
  await rm(source);
  const page = await readFile(file, "utf8");
  await writeFile(file, page.replaceAll(logo, `data:image/svg+xml,${encodeURIComponent(logoText)}`));
}

const logo = "https://cdn.redoc.ly/redoc/logo-mini-full.svg";

/** The text of a logo from another host. */
const logoText = `<svg xmlns="http://www.w3.org/2000/svg" width="46" height="14"><text y="11" font-family="sans-serif" font-size="11">Redocly</text></svg>`;

export async function writeTry(document: OpenApiDocument, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The installed package has no sources.
  if (isPackaged) await cp(join(root, "dist/try"), folder, { recursive: true });
  else await (await import("./sandbox/build.ts")).buildTry(folder);
  await writeFile(join(folder, "data.json"), tryData(document, baseUrlOf(await readBundle())));
}

/**
 * What the panel "Try it" knows of the API and of the demo accounts, as JSON.
 * @param placeholder the base URL of the bundle, where no server is
 */
export const tryData = (document: OpenApiDocument, placeholder: string): string => {
  const baseUrl = baseUrlOf(document);
  const samples = sampleRequests(document);
  const simulator = document["x-simulator"];
  return JSON.stringify({
    start: exampleTime,
    baseUrl,
    ownUrl: baseUrl === placeholder ? sandboxUrl : baseUrl,
    keys: demo.accounts.flatMap(({ id, keys }) =>
      keys.map((key) => ({ id: `${id}.${key.id}`, label: `${id} · ${key.label}`, key: key.key })),
    ),
    // An overlay may add operations, which the sandbox does not have.
    operations: operationsOf(document)
      .filter(({ id }) => Object.hasOwn(operations, id))
      .map((placed) => operationData(document, placed, samples)),
    simulatorDomain: simulator.domain,
    recipients: simulator.recipients.map(({ localPart, states }) => ({
      email: `${localPart}@${simulator.domain}`,
      isUnspecified: states.length === 0,
    })),
    seeded: demo.accounts.flatMap(({ messages = [] }) => messages.map(({ id }) => id)),
    errors: document["x-errors"].map(({ id }) => id),
  });
};

function operationData(
  document: OpenApiDocument,
  { id, method, path, parameters, operation }: PlacedOperation,
  samples: ReturnType<typeof sampleRequests>,
) {
  const examples = Object.entries(operation.requestBody?.content["application/json"]?.examples ?? {});
  const rows: Record<string, { idempotent: boolean }> = operations;
  const sample = samples.find(({ operationId }) => operationId === id);
  return {
    ...{ id, title: operation.summary, path, method: method.toUpperCase() },
    idempotencyKey: rows[id]?.idempotent === true ? (sample?.headers["Idempotency-Key"] ?? "") : null,
    parameters: parameters
      .filter((one) => one.in !== "header")
      .map(({ name, in: place, example = "" }) => ({ name, in: place, example: String(example) })),
    examples: examples.map(([name, reference]) => {
      const { summary = name, value } = dereference<Example>(document, reference);
      return { title: summary, body: JSON.stringify(value) };
    }),
  };
}
