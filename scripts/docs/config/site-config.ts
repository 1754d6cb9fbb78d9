import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, parse, resolve, sep } from "node:path";
import { operations } from "../../../generated/operations.ts";
import type { Site } from "../../../generated/schema-types.ts";
import { displayPath, readTextFile } from "../../../lib/files.ts";
import { assertNoProblems, type Problem, schemaProblems } from "../../../lib/schema-errors.ts";
import { parseYaml } from "../../../lib/yaml-source.ts";
import { isPackaged, openapiFolder, root } from "../../common/paths.ts";
import schema from "./docs.schema.json" with { type: "json" };

/** What a publisher decides about the site, as `docs.schema.json` describes it. Paths of files and folders are absolute. */
export interface SiteConfig extends Omit<Site, Listed | "versions">, Required<Pick<Site, Listed>> {
  versions: { name: string; document: string }[];
  /** The path that the site is published under, with slashes around it: `/` or `/reference/`. */
  base: string;
  folder: string;
  /** Its own file, absolute, and the text of it. */
  written?: { file: string; text: string };
  /** The name of the version, if it is not the current one. */
  version?: string;
}

type Listed = "audience" | "links" | "pages" | "out";

/** The installed package is below node_modules, where nobody looks for a site. */
const home = isPackaged ? process.cwd() : root;

/** The configuration of a site, by default without anything of a publisher. */
export const siteConfig = (config: Partial<SiteConfig> = {}): SiteConfig => ({
  base: "/",
  audience: "everyone",
  out: join(home, "dist/docs"),
  links: [],
  pages: [],
  versions: [],
  folder: home,
  ...config,
});

const hint = "See docs.schema.json and the guide docs/publishing.md for all properties.";

/**
 * Reads the configuration of the site.
 * @param path of a YAML or JSON file
 * @throws UserError with exit code 2 that lists each problem with file, line, property and value
 */
export function loadSiteConfig(path: string): SiteConfig {
  const file = resolve(path);
  const text = readTextFile(file, {
    maxMegabytes: 1,
    hint: "Give --config the path of a YAML or JSON file.",
  });
  const source = parseYaml(text, displayPath(file), { hint });
  const reject = (problems: readonly Problem[]): void =>
    assertNoProblems(problems, { subject: source.name, hint, source });
  const value = (source.value ?? {}) as Site;
  reject(schemaProblems(schema, value));
  const config = { ...resolved(value, dirname(file)), written: { file, text } };
  reject(contradictions(value, config));
  return config;
}

const releases = join(openapiFolder, "releases");
const fileKeys = ["logo", "socialImage", "overlay"] as const;

/** With absolute paths; the URLs of folders end with a slash, and that of the service does not. */
function resolved(value: Site, folder: string): SiteConfig {
  const { siteUrl, baseUrl, editUrl, out = "dist/docs", home, pages = [], versions = [] } = value;
  const at = (path: string): string => resolve(folder, path);
  const withSlash = (url: string): string => url.replace(/\/*$/, "/");
  const files = fileKeys.flatMap((name) => (value[name] === undefined ? [] : [[name, at(value[name])]]));
  return siteConfig({
    ...value,
    ...Object.fromEntries(files),
    folder,
    out: at(out),
    ...(home?.file !== undefined && { home: { ...home, file: at(home.file) } }),
    pages: pages.map(at),
    versions: versions.map(({ name, document }) => ({
      name,
      document: document === undefined ? join(releases, `${name}.json`) : at(document),
    })),
    ...(siteUrl !== undefined && {
      siteUrl: withSlash(siteUrl),
      base: URL.parse(withSlash(siteUrl))?.pathname ?? "/",
    }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, "") }),
    ...(editUrl !== undefined && { editUrl: withSlash(editUrl) }),
  });
}

/** What all paths begin with, at the end of a URL. */
const pathPrefix = new RegExp(`${operations.getMe.path.replace(/\/[^/]+$/, "")}$`);

/** Problems that the schema cannot express. */
function contradictions(value: Site, config: SiteConfig): Problem[] {
  const { pages, versions, baseUrl, home } = config;
  const files = [
    ...fileKeys.map((name) => ({ path: [name], file: config[name] })),
    { path: ["home", "file"], file: home?.file },
    ...pages.map((file, index) => ({ path: ["pages", index], file })),
    ...versions.flatMap(({ document: file }, index) =>
      value.versions?.[index]?.document === undefined ? [] : [{ path: ["versions", index], file }],
    ),
  ].flatMap(({ path, file }) => (file === undefined ? [] : [{ path, file }]));
  const paths = files.map(({ file }) => file);
  const missing = files.filter(({ file }) => !existsSync(file));
  const { repositoryUrl } = value;
  const urls = Object.entries({ siteUrl: value.siteUrl, baseUrl: value.baseUrl, repositoryUrl });
  const invalid = urls.filter(([, url]) => url !== undefined && URL.parse(url) === null);
  const hasNoSandbox = config.audience === "client" && repositoryUrl === undefined && !config.packages;
  const hidesPaths = baseUrl !== undefined && pathPrefix.test(baseUrl);
  return [
    ...missing.map(({ path, file }) => problem(path, "names a file that does not exist", displayPath(file))),
    ...invalid.map(([name, url]) => problem([name], "is an invalid URL", `"${url}"`)),
    ...versionProblems(value.versions ?? []),
    ...(hasNoSandbox ? [problem(["audience"], "requires repositoryUrl or packages", '"client"')] : []),
    ...(hidesPaths ? [problem(["baseUrl"], "must not end with the start of all paths", `"${baseUrl}"`)] : []),
    ...unsafeOutput(config, paths),
  ];
}

const problem = (path: Problem["path"], message: string, got: string): Problem => ({
  path,
  message: `${message} (got ${got})`,
});

function versionProblems(versions: NonNullable<Site["versions"]>): Problem[] {
  const known = readdirSync(releases).map((file) => parse(file).name);
  // A disk may ignore case.
  const names = versions.map(({ name }) => name.toLowerCase());
  return versions.flatMap(({ name, document }, index) => {
    const path = ["versions", index];
    if (document === undefined && !known.includes(name)) {
      const message = `requires document: no release has the name ${name} (the releases are ${known.join(", ")})`;
      return [{ path, message }];
    }
    if (names.indexOf(name.toLowerCase()) === index) return [];
    return [problem([...path, "name"], "is the name of another version", name)];
  });
}

/** Why `out` cannot be the output folder: a build replaces all of it. @param files that the configuration names */
export function unsafeOutput({ out, folder }: SiteConfig, files: readonly string[]): Problem[] {
  const unsafe = (message: string): Problem[] => [problem(["out"], message, displayPath(out))];
  const own = files.find((file) => contains(out, file));
  if (contains(out, folder)) return unsafe("would replace the folder of the configuration");
  if (contains(out, process.cwd())) return unsafe("would replace the current folder");
  if (own !== undefined) return unsafe(`would replace ${displayPath(own)}, which the site is built from`);
  if (!existsSync(out)) return [];
  if (!statSync(out).isDirectory()) return unsafe("names a file, not a folder");
  const isForeign = readdirSync(out).length > 0 && !existsSync(join(out, "404.html"));
  return isForeign ? unsafe("names a folder with other files, which the build would replace") : [];
}

const contains = (folder: string, path: string): boolean =>
  `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
