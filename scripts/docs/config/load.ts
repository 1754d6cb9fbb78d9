import { existsSync, readdirSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { operations } from "../../../generated/operations.ts";
import { displayPath, readTextFile } from "../../../lib/files.ts";
import { type Problem, rejectProblems, schemaProblems } from "../../../lib/schema-errors.ts";
import { parseYaml, type YamlSource } from "../../../lib/yaml-source.ts";
import { openapiFolder } from "../../common/paths.ts";
import { contrast } from "./contrast.ts";
import schema from "./docs.schema.json" with { type: "json" };
import { unsafeOutput } from "./output-folder.ts";
import { type HeaderLink, type SiteConfig, siteConfig } from "./site-config.ts";

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
    ...faint(value),
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

/** Colors that text on a page cannot have: WCAG 2.2 requires a contrast of 4.5. */
function faint({ colors }: ConfigFile): Problem[] {
  const pages = { accent: ["#ffffff", "white"], accentDark: ["#171614", "a dark page"] } as const;
  return Object.entries(pages).flatMap(([name, [background, words]]) => {
    const color = colors?.[name as keyof typeof pages];
    const ratio = color === undefined ? 21 : contrast(color, background);
    const message = `must have a contrast of 4.5 with ${words} (got ${color}, which has ${ratio.toFixed(1)})`;
    return ratio >= 4.5 ? [] : [{ path: ["colors", name], message }];
  });
}
