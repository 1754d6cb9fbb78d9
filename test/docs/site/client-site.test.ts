import { execFile } from "node:child_process";
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { root } from "../../../scripts/common/paths.ts";
import { skillFile } from "../../../scripts/docs/links.ts";
import { serveSite } from "../../../scripts/docs/serve.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { loadTool } from "../../tools/tools.ts";
import { brokenLinks, type ServedSite, type Visited, visitAll } from "./visit.ts";

// The site of a publisher: for those who use the API only, with another brand, under a subpath.
const siteUrl = "https://docs.crumb.example/mail/";
const configuration = `
audience: client
title: Crumb Mail
siteUrl: ${siteUrl}
baseUrl: https://api.crumb.example
simulatorDomain: try.crumb.example
packages: registry
colors: { accent: "#7a1fa2", accentDark: "#d9a8ff" }
`;

let site: ServedSite;
let names: string[];
let close: () => Promise<void> = async () => {};

beforeAll(async () => {
  await mkdir(join(root, ".build"), { recursive: true });
  const parent = await mkdtemp(join(root, ".build/client-"));
  close = () => rm(parent, { recursive: true, force: true });
  const file = join(parent, "docs.config.yaml");
  await writeFile(file, configuration);
  // Variables of these names must change nothing.
  const env = {
    ...process.env,
    BASE_URL: "https://other.example/",
    SITE: "https://other.example/",
    DEV: "true",
  };
  const args = [join(root, "scripts/cli.ts"), "docs", "--config", file];
  await promisify(execFile)(process.execPath, args, { env });
  const folder = join(parent, "dist/docs");
  const server = await serveSite({ folder, base: "/mail/", port: 0, host: "127.0.0.1" });
  close = async () => {
    await server.close();
    await rm(parent, { recursive: true, force: true });
  };
  const sitemap = await readFile(join(folder, "sitemap-0.xml"), "utf8");
  const paths = [...sitemap.matchAll(/<loc>(.*?)\/?<\/loc>/g)].map(([, url = ""]) =>
    `${url}/`.slice(siteUrl.length).replace(/\/$/, ""),
  );
  site = { url: server.url, folder, paths };
  names = await Array.fromAsync(glob("**/*.*", { cwd: folder }));
}, 600_000);

afterAll(() => close());

const read = (name: string): Promise<string> => readFile(join(site.folder, name), "utf8");

/** What only those who build or test servers and clients, or maintain the contract, need to know. */
const builderWords =
  /requirement|\bsuites?\b|mutant|server under test|\bconform|false positive|x-encodes|\bfor builders\b|\bx-(technical|leaves)[\w-]*(?![\w-])(?!"?:)/i;

describe("nothing for builders", () => {
  /** A fragment of the search index is the text of a page. */
  const textOf = async (name: string): Promise<string> =>
    name.endsWith(".pf_fragment")
      ? gunzipSync(await readFile(join(site.folder, name))).toString()
      : read(name);

  test("no page, text file or part of the search index has a word or an id for builders", async () => {
    const ids = Object.values((await readBundle())["x-requirements"]).flatMap((all) =>
      all.map(({ id }) => id),
    );
    const words = new RegExp(`${builderWords.source}|\\b(?:${ids.join("|")})\\b`, "i");
    const found: string[] = [];
    const read: Record<string, number> = {};
    for (const name of names) {
      // Scripts and styles are the same for every audience, and redoc.html is the script of Redocly with openapi.json.
      const [, kind] = /\.(html|md|txt|xml|json|yaml|ts|pf_fragment)$/.exec(name) ?? [];
      if (kind === undefined || name === "redoc.html") continue;
      read[kind] = (read[kind] ?? 0) + 1;
      // What an edition of the document has lost: requirements would be in the list.
      const text = (await textOf(name)).replaceAll('"requirements": []', "");
      for (const line of text.split("\n"))
        if (words.test(line)) found.push(`${name}: ${/.{0,80}$/.exec(line.slice(0, line.search(words)))}…`);
    }
    expect(found).toEqual([]);
    for (const kind of ["html", "md", "pf_fragment"])
      expect(read[kind], kind).toBeGreaterThanOrEqual(site.paths.length);
  });

  test("no command needs a clone of the project", async () => {
    const pages = names.filter((name) => name.endsWith(".md"));
    const texts = await Promise.all(pages.map(read));
    const found = texts.flatMap(
      (text) => text.match(/.*(npm (ci|run|pack)\b|\b(a|the) clone\b|Containerfile).*/g) ?? [],
    );
    expect(found).toEqual([]);
  });

  test("no configuration or report of a suite is there to download", () => {
    expect(names.filter((name) => /contract|driver|requirements|testing-a-/.test(name))).toEqual([]);
  });
});

describe("every page", () => {
  const views = ["390 px, dark", "1440 px, light"] as const;
  let pages: Visited[];
  beforeAll(async () => {
    pages = await visitAll(site, views);
  }, 900_000);

  test.each(views)("axe finds no problem with the colors of the publisher: %s", (view) => {
    expect(pages.flatMap((page) => page.problems.get(view)?.map((text) => `${page.path}: ${text}`))).toEqual(
      [],
    );
  });

  test("no request leaves the site", () => {
    const requests = pages.flatMap((page) => page.requests);
    expect(requests.length).toBeGreaterThan(pages.length);
    expect(requests.filter((url) => !url.startsWith(site.url) && !url.startsWith("data:"))).toEqual([]);
  });

  test("every link within the site leads to an existing page, file and anchor", () => {
    expect(brokenLinks(pages, site)).toEqual([]);
  });

  test("links to other sites are to real ones", () => {
    const { host } = new URL(site.url);
    const others = pages
      .flatMap(({ links }) => links.map((link) => new URL(link)))
      .filter((url) => url.host !== host);
    // Nothing is at an example domain; `http:` only leads to a sandbox of the reader.
    expect(others.filter((url) => url.host.endsWith(".example")).map(String)).toEqual([]);
    const insecure = others.filter(({ protocol }) => protocol !== "https:");
    expect(new Set(insecure.map(({ origin }) => origin))).toEqual(new Set(["http://127.0.0.1:4020"]));
  });

  test("links in Markdown and in lists of pages are absolute, and lead to existing files", async () => {
    const texts = names.filter((name) => /\.md$|^llms/.test(name));
    for (const name of texts) {
      const text = (await read(name)).replaceAll(/^ *```[\s\S]*?^ *```$|`[^`\n]*`/gm, "");
      const targets = [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => String(target));
      expect(
        targets.filter((target) => !/^(https?:|mailto:)/.test(target)),
        name,
      ).toEqual([]);
      const own = targets
        .filter((target) => target.startsWith(siteUrl))
        .map((target) => target.slice(siteUrl.length));
      expect(
        own.filter((target) => !names.includes(target)),
        name,
      ).toEqual([]);
    }
    expect(texts.length).toBeGreaterThan(site.paths.length);
  });
});

/** What is used of `afdocs`. */
interface Afdocs {
  runChecks(
    url: string,
    options: object,
  ): Promise<{ testedPages: number; results: { id: string; status: string; message: string }[] }>;
}

/** Checks of the Agent-Friendly Documentation Spec that a static site cannot pass. */
const exceptions = [
  // Only a host can send Markdown for `Accept: text/markdown`; the head of each page links its Markdown file.
  "content-negotiation: fail",
  // For sites that require a login.
  "auth-alternative-access: skip",
];

describe("agents", () => {
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  test("the checks for documentation that agents can read pass", { timeout: 600_000 }, async () => {
    const { runChecks } = await loadTool<Afdocs>("afdocs");
    const once = fetch;
    // While a check computes, the server closes idle connections, which the next request would use.
    vi.stubGlobal("fetch", (...request: Parameters<typeof fetch>) =>
      once(...request).catch(() => once(...request)),
    );
    const { results, testedPages } = await runChecks(site.url, {
      canonicalOrigin: siteUrl,
      samplingStrategy: "curated",
      curatedPages: site.paths.map((path) => `${site.url}${path}${path && "/"}`),
      maxLinksToTest: 500,
      requestDelay: 0,
    });
    expect(testedPages).toBe(site.paths.length);
    const others = results.filter(({ status }) => status !== "pass");
    expect(
      others.map(({ id, status }) => `${id}: ${status}`),
      others.map(({ id, message }) => `${id}: ${message}`).join("\n"),
    ).toEqual(exceptions);
    expect(results.length).toBeGreaterThanOrEqual(28);
  });

  test("with absolute links, too, what agents read is short", async () => {
    const kilobytes = async (name: string): Promise<number> => Buffer.byteLength(await read(name)) / 1000;
    expect(await kilobytes("llms-full.txt")).toBeLessThan(120);
    for (const name of names.filter((one) => /^operations\/.*\.md$/.test(one)))
      expect(await kilobytes(name), name).toBeLessThan(20);
    expect((await read(skillFile)).trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });
});
