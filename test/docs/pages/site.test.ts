import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { displayPath } from "../../../lib/files.ts";
import { withBaseUrl } from "../../../scripts/docs/build.ts";
import { type SiteConfig, siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { withLinks } from "../../../scripts/docs/links.ts";
import type { Page } from "../../../scripts/docs/page.ts";
import { pagesOf } from "../../../scripts/docs/page.ts";
import { composeSite } from "../../../scripts/docs/site.ts";
import { siteData } from "../../../scripts/docs/site-data.ts";
import { textFiles } from "../../../scripts/docs/text-files.ts";
import { extraPages } from "../../../scripts/docs/written-pages.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { baseUrlOf } from "../../../scripts/document/requests.ts";
import { withFiles } from "../config/files.ts";

const page = (path: string, text = ""): Page => ({ path, title: path, description: "", text });
const pages = [page(""), page("errors"), page("guides/testing")];

test.each([
  ["html", "[a](/docs/) [b](/docs/errors/#429-rate_limited) [c](/docs/llms.txt)"],
  ["markdown", "[a](/docs/index.md) [b](/docs/errors.md#429-rate_limited) [c](/docs/llms.txt)"],
] as const)("links lead to pages or Markdown files: %s", (form, expected) => {
  const text = "[a](site:) [b](site:errors#429-rate_limited) [c](site:llms.txt)";
  expect(withLinks(page("x", text), { pages, base: "/docs/", form })).toBe(expected);
});

test("an unresolved link is an error that names the page and the link", () => {
  const options = { pages, base: "/", form: "html" } as const;
  expect(() => withLinks(page("guides/testing", "[a](site:erors)"), options)).toThrow(
    "the page guides/testing links to erors, which does not exist",
  );
});

test("every operation and every object has its own page", async () => {
  const document = await readBundle();
  const paths = pagesOf(await composeSite(document)).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => path.startsWith("operations/"))).toHaveLength(operationsOf(document).length);
  const objects = Object.values(document.components.schemas ?? {}).filter(({ title }) => title !== undefined);
  expect(paths.filter((path) => path.startsWith("objects/"))).toHaveLength(objects.length + 1);
});

/** The document with an operation that a test may change, and without the cache of the original. */
async function documentWithGet() {
  const document = structuredClone(await readBundle());
  const { get } = document.paths["/api/v1/me"] ?? {};
  if (get === undefined) throw new TypeError("the document has no GET /api/v1/me");
  return { document, get };
}

test("a deprecated operation is marked", async () => {
  const { document, get } = await documentWithGet();
  get.deprecated = true;
  const pages = pagesOf(await composeSite(document)).filter(({ text }) => text.includes("**Deprecated.**"));
  expect(pages.map(({ path }) => path)).toEqual(["operations/get-me"]);
});

test("a part of an operation that no page shows is an error", async () => {
  const { document, get } = await documentWithGet();
  Object.assign(get, { callbacks: {} });
  await expect(composeSite(document)).rejects.toThrow(
    "the reference does not show the key callbacks (operation)",
  );
});

test("there is a Markdown file for each page, and llms.txt", async () => {
  const document = await readBundle();
  const site = await composeSite(document);
  const files = textFiles(document, site, "/");
  expect(files.get("llms.txt")).toMatch(new RegExp(`^# ${document.info.title}\n\n> `));
  const { summary } = document.paths["/api/v1/emails"]?.post ?? {};
  expect(files.get("operations/send-email.md")).toMatch(new RegExp(`^# ${summary}\n`));
  expect([...files.keys()].filter((name) => name.endsWith(".md"))).toHaveLength(pagesOf(site).length);
});

test("the page of an operation names a requirement of its own, which the contract suite verifies", async () => {
  const pages = pagesOf(await composeSite(await readBundle()));
  const named = pages
    .filter(({ path }) => path.startsWith("operations/"))
    .map(({ text }) => /contract --grep ([A-Z]+-\d+)/.exec(text)?.[1]);
  expect(named).not.toContain(undefined);
  expect(named).not.toContain("GEN-1");
  expect(new Set(named).size).toBeGreaterThan(6);
});

test("a base URL cannot end the attribute that it is in", async () => {
  const { document } = await documentWithGet();
  document.servers = [{ url: 'https://a.example/"><b>' }];
  const page = pagesOf(await composeSite(document)).find(({ path }) => path === "operations/get-me");
  expect(page?.text).toContain('data-copy="https://a.example/&quot;&gt;&lt;b&gt;/api/v1/me"');
});

test("guides have the base URL of the published document", async () => {
  const bundle = await readBundle();
  const site = withBaseUrl(await composeSite(bundle), baseUrlOf(bundle), "https://eu.example");
  expect(pagesOf(site).filter(({ text }) => text.includes(baseUrlOf(bundle)))).toEqual([]);
  expect(site.start.text).toContain("curl https://eu.example/api/v1/emails");
});

test("a link in the code of an extra page is left as it is", async () => {
  const text = "# Support\n\nAsk [us](/errors/).\n\n```md\n[a](/errors/)\n```\n";
  await withFiles({ "support.md": text }, async (folder) => {
    const [page] = await extraPages(siteConfig({ pages: [join(folder, "support.md")] }), []);
    expect(page?.text).toContain("[us](site:errors)");
    expect(page?.text).toContain("```md\n[a](/errors/)\n```");
  });
});

test("a dead link of an extra page is an error that names the file, its line, and the pages of an earlier build if there is one", async () => {
  const text = "# Support\n\nAsk us.\n\nSee [errors](/errors/) and [this](/erors/).\n";
  await withFiles({ "support.md": text }, async (folder) => {
    const file = join(folder, "support.md");
    const [extra] = await extraPages(siteConfig({ pages: [file] }), []);
    const links = (): string => withLinks(extra ?? page(""), { pages, base: "/", form: "html", out: folder });
    expect(links).toThrow(`${displayPath(file)}:5 links to erors, which does not exist`);
    const hint = "Name a page by the path of its URL, such as /errors/ or /operations/send-email/.";
    expect(links).toThrow(expect.objectContaining({ exitCode: 2, hint }));
    const list = join(folder, "llms.txt");
    await writeFile(list, "");
    expect(links).toThrow(
      expect.objectContaining({
        hint: `The file ${displayPath(list)} of an earlier build lists all pages.`,
      }),
    );
  });
});

test.each(["objects", "operations"])("the list of %s links to each of their pages", async (list) => {
  const all = pagesOf(await composeSite(await readBundle()));
  const { text = "" } = all.find(({ path }) => path === list) ?? {};
  const others = all.filter(({ path }) => path.startsWith(`${list}/`));
  expect(others.length).toBeGreaterThan(5);
  expect(others.filter(({ title, path }) => !text.includes(`[${title}](site:${path})`))).toEqual([]);
});

test("the current version and an earlier one of the same version have different names in the header", async () => {
  const document = await readBundle();
  const site = await composeSite(document);
  const versions = [{ name: document.info.version, document: "" }];
  const labelOf = (config: Partial<SiteConfig>): string =>
    siteData(document, site, siteConfig(config), []).versionLabel;
  expect(labelOf({})).toBe("v1.0.0");
  expect(labelOf({ versions })).toBe("v1.0.0 (current)");
  expect(labelOf({ versions, version: "1.0.0", base: "/1.0.0/" })).toBe("1.0.0");
});
