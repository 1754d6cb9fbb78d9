import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import starlight from "@astrojs/starlight";
import type { AstroInlineConfig } from "astro";
import { passthroughImageService } from "astro/config";
import { displayPath } from "../../lib/files.ts";
import { printLine } from "../../lib/print.ts";
import { type ListenOptions, UserError, usageError } from "../../lib/user-error.ts";
import { root } from "../common/paths.ts";
import { readBundle } from "../document/read-bundle.ts";
import { baseUrlOf } from "../document/requests.ts";
import { publishedDocument } from "./config/document.ts";
import { loadSiteConfig, type SiteConfig, siteConfig, unsafeOutput } from "./config/site-config.ts";
import { replaceFolder, withTemporaryFolder } from "./folders.ts";
import { withoutRemovedPages } from "./links.ts";
import { mapPages, pagesOf, type Site, type SiteVersion } from "./page.ts";
import { replaceSearch } from "./search/entries.ts";
import { metaWeights } from "./search/keywords.ts";
import { checkPort, serveSite } from "./serve.ts";
import { composeSite } from "./site.ts";
import { faviconOf, siteHead } from "./site-data.ts";
import { stageSite } from "./stage.ts";
import { codeTheme, contrastNotes } from "./theme.ts";

/**
 * Builds the site with its earlier versions, and replaces the output folder once the build is complete.
 * @throws UserError if a source is missing or invalid, the output folder is too far away, or Astro fails
 */
export async function buildSite(config: SiteConfig): Promise<Site> {
  rejectFarOutput(config.out, root);
  // Beside the output folder: a folder can only be moved within a disk.
  return withTemporaryFolder(dirname(config.out), async (folder) => {
    const current = await composeVersion(config);
    const earlier = await Promise.all(
      config.versions.map(({ name }) => composeVersion(versionConfig(config, name))),
    );
    // The menu of versions leads to the same page of another version.
    const paths = [current, ...earlier].map(({ site }) => pagesOf(site).map(({ path }) => path));
    const folders = new Set(paths[0]?.map((path) => path.split("/")[0]));
    for (const { name } of config.versions) rejectNameOf(folders.has(name), name);
    const built = await buildVersion(current, join(folder, "current"), paths);
    for (const version of earlier) {
      const { version: name = "" } = version.config;
      rejectNameOf(existsSync(join(built, name)), name);
      await rename(await buildVersion(version, join(folder, `version-${name}`), paths), join(built, name));
    }
    replaceFolder(built, config.out, folder);
    return { ...current.site, notes: [...(current.site.notes ?? []), ...contrastNotes(config)] };
  });
}

/**
 * Astro finds no components if the folder that it builds in and the packages have no folder in common but the root of the disk.
 * @throws UserError with exit code 2
 */
export function rejectFarOutput(out: string, packages: string): void {
  const first = (path: string): string | undefined => path.split(/[\\/]/)[1];
  if (first(out) === first(packages)) return;
  throw usageError(
    `the output folder ${out} and the package in ${packages} have no folder in common`,
    "Put the configuration into the folder where the package is installed, or set `out` to a folder in it.",
  );
}

/** A version is published in a folder of its name: of a page, which is known before a build, or of another file, which is known after it. */
function rejectNameOf(isTaken: boolean, name: string): void {
  if (isTaken)
    throw usageError(
      `the version ${name} has the name of a page or folder of the site`,
      "Give it another name, such as v1.",
    );
}

const versionConfig = (config: SiteConfig, version: string): SiteConfig => ({
  ...config,
  version,
  base: `${config.base}${version}/`,
  ...(config.siteUrl !== undefined && { siteUrl: `${config.siteUrl}${version}/` }),
});

/** The document with its overlay, then the pages that describe it. */
async function composeVersion(config: SiteConfig): Promise<SiteVersion> {
  const document = await publishedDocument(config);
  const bundle = await readBundle();
  const complete = withoutRemovedPages(await composeSite(document, config), document, bundle);
  return { document, site: withBaseUrl(complete, baseUrlOf(bundle), baseUrlOf(document)), config };
}

/**
 * Writes the input of Astro, runs it, and adds the search.
 * @param versionPaths the paths of the pages of the current version, then of each earlier one
 * @returns the folder with the built site, absolute
 */
async function buildVersion(version: SiteVersion, stage: string, versionPaths: readonly string[][]) {
  await stageSite(version, stage, versionPaths);
  await runAstro(astroConfig(version, stage));
  await replaceSearch(version, stage);
  return join(stage, "built");
}

/** Guides are written with the base URL of the bundle. */
export const withBaseUrl = (site: Site, written: string, baseUrl: string): Site =>
  mapPages(site, (page) => ({ ...page, text: page.text.replaceAll(written, baseUrl) }));

async function runAstro(config: AstroInlineConfig): Promise<void> {
  const before = { ...process.env };
  // Starlight omits the search unless NODE_ENV is "production"; tests set another value.
  process.env.NODE_ENV = "production";
  process.env.ASTRO_TELEMETRY_DISABLED = "1";
  // In components, these would replace Astro's own values: the links of the sidebar would begin with BASE_URL.
  for (const name of ["BASE_URL", "DEV", "MODE", "PROD", "SITE", "SSR"]) delete process.env[name];
  try {
    const { build } = await import("astro");
    await build(config);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(`cannot build the site: ${reason}`, { cause });
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The components of Starlight that docs/site replaces. */
const components = ["Head", "Header", "Sidebar", "PageFrame", "PageTitle", "TwoColumnContent", "Footer"];

const styles = [
  ...["base", "layout", "content", "operation", "panels", "tables", "home", "narrow", "menus"],
  "brand",
];

const fonts = ["@fontsource-variable/instrument-sans", "@fontsource-variable/jetbrains-mono"];

const astroConfig = ({ document, site, config }: SiteVersion, stage: string): AstroInlineConfig => ({
  configFile: false,
  root: stage,
  base: config.base,
  ...(config.siteUrl !== undefined && { site: new URL(config.siteUrl).origin }),
  outDir: join(stage, "built"),
  cacheDir: join(stage, ".cache"),
  logLevel: "error",
  // Static file servers serve folders without a redirect.
  trailingSlash: "always",
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  // Another package may have put an older version of it where the built pages look for it; Astro needs its own.
  vite: { resolve: { noExternal: ["cookie"] } },
  integrations: [
    starlight({
      title: document.info.title,
      favicon: faviconOf(config),
      head: siteHead(document, config),
      customCss: [
        ...fonts.map((name) => `${name}/wght.css`),
        ...styles.map((name) => `./src/styles/${name}.css`),
      ],
      components: Object.fromEntries(components.map((name) => [name, `./src/components/${name}.astro`])),
      // The sidebar lists the sections of the page.
      tableOfContents: false,
      pagefind: { ranking: { metaWeights } },
      expressiveCode: codeTheme,
      sidebar: site.sections.map(({ title, pages, collapsed = false }) => ({
        label: title,
        collapsed,
        items: pages
          .filter(({ isHelper = false }) => !isHelper)
          .map(({ label, title, path, method }) => ({
            label: label ?? title,
            link: `/${path}/`,
            ...(method !== undefined && { badge: { text: method.toUpperCase(), class: method } }),
          })),
      })),
    }),
  ],
});

interface DocsOptions extends ListenOptions {
  serve?: boolean;
  base?: string;
  config?: string;
}

/** Builds the reference site, by default into `dist/docs`; with `serve`, serves it until interrupted. */
export async function runDocs({ serve, port, host, ...options }: DocsOptions): Promise<number> {
  if (serve === true) await checkPort({ host, port });
  const config = configOf(options);
  const start = performance.now();
  const site = await buildSite(config);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  printLine(`Built ${pagesOf(site).length} pages into ${displayPath(config.out)} in ${seconds} s`);
  for (const note of site.notes ?? []) printLine(`Note: ${note}`);
  if (serve !== true) {
    printLine("View it with --serve, or copy the folder to a web server.");
    return 0;
  }
  const server = await serveSite({ folder: config.out, base: config.base, port, host });
  printLine(`Serving the site at ${server.url}`);
  await server.closed;
  return 0;
}

function configOf({ base, config }: Pick<DocsOptions, "base" | "config">): SiteConfig {
  const loaded = config === undefined ? siteConfig() : loadSiteConfig(config);
  const [problem] = config === undefined ? unsafeOutput(loaded, []) : [];
  if (problem !== undefined)
    throw usageError(`the output folder ${problem.message}`, "Give --config a file with the property out.");
  if (base === undefined || base === loaded.base) return loaded;
  if (loaded.siteUrl === undefined) return { ...loaded, base };
  throw usageError(`--base ${base} differs from the path of siteUrl ${loaded.siteUrl}`, "Omit --base.");
}
