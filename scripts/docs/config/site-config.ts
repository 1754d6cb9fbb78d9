import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, parse, resolve, sep } from "node:path";
import { operations } from "../../../generated/operations.ts";
import { displayPath, readTextFile } from "../../../lib/files.ts";
import { type Problem, rejectProblems, schemaProblems } from "../../../lib/schema-errors.ts";
import { parseYaml, type YamlSource } from "../../../lib/yaml-source.ts";
import { isPackaged, openapiFolder, root } from "../../common/paths.ts";
import schema from "./docs.schema.json" with { type: "json" };

/** A link in the header. */
export interface HeaderLink {
  title: string;
  url: string;
}

/** An earlier version, below its own folder of the site. */
export interface SiteVersion {
  name: string;
  /** The file of its bundled document. */
  document: string;
}

/** What a publisher decides about the site. Paths of files and folders are absolute. */
export interface SiteConfig {
  /** The path that the site is published under, with slashes around it: `/` or `/reference/`. */
  base: string;
  /** The output folder. Its content is replaced. */
  out: string;
  /** The name of the API, instead of that in the document. */
  title?: string;
  /** The public URL of the site, ending with a slash. */
  siteUrl?: string;
  /** The image shown where a page is shared. */
  socialImage?: string;
  /** The base URL of the service, without a slash at the end, instead of that in the document. */
  baseUrl?: string;
  /** The image in the header and the icon of the browser tab, instead of the built-in one. */
  logo?: string;
  /** The accent color in each color scheme, instead of the built-in one. */
  accent?: { light: string; dark: string };
  /** Links in the header, after those of the site. */
  headerLinks: readonly HeaderLink[];
  /** The text of the footer, instead of the license. */
  footer?: string;
  /** Markdown files that follow the guides. */
  pages: readonly string[];
  /** Where files can be edited: the URL of `folder`, ending with a slash. */
  editUrl?: string;
  /** The folder of the configuration. */
  folder: string;
  /** The OpenAPI Overlay that changes the document. */
  overlay?: string;
  versions: readonly SiteVersion[];
  /** The name of the version, if it is not the current one. */
  version?: string;
}

/** The installed package is below node_modules, where nobody looks for a site. */
const home = isPackaged ? process.cwd() : root;

/** The configuration of a site, by default without anything of a publisher. */
export const siteConfig = (config: Partial<SiteConfig> = {}): SiteConfig => ({
  base: "/",
  out: join(home, "dist/docs"),
  headerLinks: [],
  pages: [],
  versions: [],
  folder: home,
  ...config,
});

/** The content of a configuration, as `docs.schema.json` describes it. */
interface ConfigFile {
  title?: string;
  logo?: string;
  colors?: { accent: string; accentDark: string };
  siteUrl?: string;
  socialImage?: string;
  baseUrl?: string;
  links?: HeaderLink[];
  footer?: string;
  pages?: string[];
  out?: string;
  overlay?: string;
  versions?: { name: string; document?: string }[];
  editUrl?: string;
}

const hint = "See docs.schema.json and the guide docs/publishing.md for all properties.";

/**
 * Reads the configuration of the site.
 *
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
  const value = (source.value ?? {}) as ConfigFile;
  reject(schemaProblems(schema, value), source);
  const config = resolved(value, dirname(file));
  reject(contradictions(value, config), source);
  return config;
}

const reject = (problems: readonly Problem[], source: YamlSource): void =>
  rejectProblems(problems, { subject: source.name, hint, source });

function resolved(value: ConfigFile, folder: string): SiteConfig {
  const { logo, colors, siteUrl, socialImage, baseUrl, links, pages, out, overlay, versions, editUrl } =
    value;
  const at = (path: string): string => resolve(folder, path);
  return siteConfig({
    folder,
    out: at(out ?? "dist/docs"),
    headerLinks: links ?? [],
    pages: (pages ?? []).map(at),
    versions: (versions ?? []).map(({ name, document }) => ({
      name,
      document: document === undefined ? join(openapiFolder, "releases", `${name}.json`) : at(document),
    })),
    ...(value.title !== undefined && { title: value.title }),
    ...(value.footer !== undefined && { footer: value.footer }),
    ...(logo !== undefined && { logo: at(logo) }),
    ...(colors !== undefined && { accent: { light: colors.accent, dark: colors.accentDark } }),
    ...(siteUrl !== undefined && { siteUrl: withSlash(siteUrl), base: new URL(withSlash(siteUrl)).pathname }),
    ...(socialImage !== undefined && { socialImage: at(socialImage) }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, "") }),
    ...(overlay !== undefined && { overlay: at(overlay) }),
    ...(editUrl !== undefined && { editUrl: withSlash(editUrl) }),
  });
}

const withSlash = (url: string): string => url.replace(/\/*$/, "/");

/** What all paths begin with, at the end of a URL. */
const pathPrefix = new RegExp(`${operations.getMe.path.replace(/\/[^/]+$/, "")}$`);

/** Problems that the schema cannot express. */
function contradictions(value: ConfigFile, config: SiteConfig): Problem[] {
  const { logo, socialImage, overlay, pages, versions, siteUrl, baseUrl } = config;
  const files: [Problem["path"], string | undefined][] = [
    [["logo"], logo],
    [["socialImage"], socialImage],
    [["overlay"], overlay],
    ...pages.map((file, index): [Problem["path"], string] => [["pages", index], file]),
    ...versions.flatMap(({ document }, index): [Problem["path"], string][] =>
      value.versions?.[index]?.document === undefined ? [] : [[["versions", index], document]],
    ),
  ];
  const known = readdirSync(join(openapiFolder, "releases")).map((file) => parse(file).name);
  const unknown = (value.versions ?? []).flatMap(({ name, document }, index) =>
    document !== undefined || known.includes(name)
      ? []
      : [
          {
            path: ["versions", index],
            message: `requires document: no release has the name ${name} (the releases are ${known.join(", ")})`,
          },
        ],
  );
  const missing = files
    .filter(([, file]) => file !== undefined && !existsSync(file))
    .map(([path, file = ""]) => ({
      path,
      message: `names a file that does not exist (got ${displayPath(file)})`,
    }));
  const urls = Object.entries({ siteUrl, baseUrl })
    .filter(([, url]) => url !== undefined && URL.parse(url) === null)
    .map(([name, url]) => ({ path: [name], message: `is an invalid URL (got "${url}")` }));
  const doubled =
    baseUrl === undefined || !pathPrefix.test(baseUrl)
      ? []
      : [{ path: ["baseUrl"], message: `must not end with the start of all paths (got "${baseUrl}")` }];
  const image =
    value.socialImage !== undefined && siteUrl === undefined
      ? [{ path: ["socialImage"], message: `requires siteUrl (got "${value.socialImage}")` }]
      : [];
  return [
    ...missing,
    ...unknown,
    ...urls,
    ...doubled,
    ...image,
    ...versionNames(config),
    ...unsafeOutput(config, [...files.flatMap(([, file]) => file ?? [])]),
  ];
}

/** A disk may ignore case. */
function versionNames({ versions }: SiteConfig): Problem[] {
  const names = versions.map(({ name }) => name.toLowerCase());
  return versions.flatMap(({ name }, index) =>
    names.indexOf(name.toLowerCase()) === index
      ? []
      : [{ path: ["versions", index, "name"], message: `is the name of another version (got ${name})` }],
  );
}

/**
 * Why `out` cannot be the output folder: a build replaces all of it.
 *
 * @param files that the configuration names
 */
export function unsafeOutput({ out, folder }: SiteConfig, files: readonly string[]): Problem[] {
  const problem = (message: string): Problem[] => [
    { path: ["out"], message: `${message} (got ${displayPath(out)})` },
  ];
  const own = files.find((file) => contains(out, file));
  if (contains(out, folder)) return problem("would replace the folder of the configuration");
  if (contains(out, process.cwd())) return problem("would replace the current folder");
  if (own !== undefined) return problem(`would replace ${displayPath(own)}, which the site is built from`);
  if (!existsSync(out)) return [];
  if (!statSync(out).isDirectory()) return problem("names a file, not a folder");
  const isForeign = readdirSync(out).length > 0 && !existsSync(join(out, "404.html"));
  return isForeign ? problem("names a folder with other files, which the build would replace") : [];
}

const contains = (folder: string, path: string): boolean =>
  `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
