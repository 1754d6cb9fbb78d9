import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentForClients, textForReaders } from "../../scripts/docs/audience.ts";
import { loadSiteConfig, type SiteConfig, siteConfig } from "../../scripts/docs/config/site-config.ts";
import { skillFile, withLinks } from "../../scripts/docs/links.ts";
import { type Page, pagesOf } from "../../scripts/docs/page.ts";
import { searchEntries } from "../../scripts/docs/search/entries.ts";
import { composeSite } from "../../scripts/docs/site.ts";
import { siteData } from "../../scripts/docs/site-data.ts";
import { errorTable } from "../../scripts/docs/stage.ts";
import { textFiles } from "../../scripts/docs/text-files.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { withFiles } from "./with-files.ts";

const document = await readBundle();
const client = siteConfig({ audience: "client", base: "/mail/", siteUrl: "https://docs.example.com/mail/" });
const site = await composeSite(document, client);
const files = await textFiles({ document, site, config: client });
const pages = pagesOf(site);

/** What only those who build or test servers and clients, or maintain the contract, need to know. */
const builderWords =
  /requirement|contract suite|client suite|mutant|server under test|\b(SEND|IDEM|ERR|CONT)-\d/i;

test("a site for clients has no word for builders, in HTML, Markdown and lists of pages", () => {
  const texts = new Map([...pages.map(({ path, text }) => [path, text] as const), ...files]);
  const found = [...texts].flatMap(([name, text]) =>
    text.split("\n").flatMap((line) => (builderWords.test(line) ? [`${name}: ${line}`] : [])),
  );
  expect(found).toEqual([]);
});

test("a site for clients has no page, section or link of the header for builders", () => {
  expect(pages.map(({ path }) => path).filter((path) => /testing-a-|requirements|maint/.test(path))).toEqual(
    [],
  );
  const { areas } = siteData({ document, site, config: client }, []);
  expect(areas.map(({ title }) => title)).toEqual(["Guides", "API reference", "Downloads", "Changelog"]);
});

test("the search of a site for clients has no entry with an id as its title", () => {
  const titles = searchEntries(
    document,
    pages.map(({ path }) => path),
  ).map(({ title }) => title);
  expect(titles.filter((title) => /\b[A-Z]{2,}-\d/.test(title))).toEqual([]);
  expect(titles).toContain("Attachments: 20");
});

test("every link of a site for clients leads to a page of it", () => {
  for (const page of pages) withLinks(page, { pages, base: "/", form: "html" });
});

test("a link of an extra page to a page that is left out ends the build", async () => {
  const file = join(temporaryFolder(), "support.md");
  await writeFile(file, "# Support\n\nAsk us.\n\n[Test it](/guides/testing-a-server/).\n");
  const all = pagesOf(await composeSite(document, { ...client, pages: [file] }));
  const support = all.find(({ path }) => path === "guides/support") as Page;
  expect(() => withLinks(support, { pages: all, base: "/", form: "html" })).toThrow(
    "support.md:5 links to guides/testing-a-server, which does not exist",
  );
});

test("the published document of a site for clients has no requirements", () => {
  const text = JSON.stringify(documentForClients(document));
  expect(text).not.toMatch(/x-encodes|x-generated|x-requirements/);
  expect(text).toContain("x-technical-limit");
});

test("guides and pages of languages do not speak of suites for servers and clients", async () => {
  const { sections } = await composeSite(document);
  const guides = sections.filter(({ area }) => area === "guides").flatMap(({ pages }) => pages);
  expect(guides.length).toBeGreaterThan(20);
  const words = /(contract|client|test) suites?\b|contract\.config/;
  expect(guides.filter(({ text }) => words.test(text)).map(({ path }) => path)).toEqual([]);
});

test("blocks for builders are whole lines or a part of one", () => {
  const text =
    "a<!-- builders --> b<!-- end of builders -->.\n<!-- builders -->\n## C\n\nc\n<!-- end of builders -->\nd";
  expect(textForReaders(text, client)).toBe("a.\nd");
  expect(textForReaders(text, siteConfig())).toBe(text);
});

test("what is said of the files of packages is left out if a registry has them", () => {
  const text = "a<!-- files --> b<!-- end of files -->.\n<!-- files -->\nc\n<!-- end of files -->\nd";
  expect(textForReaders(text, siteConfig({ packages: "registry" }))).toBe("a.\nd");
  expect(textForReaders(text, client)).toBe(text);
});

test("everyone has the pages for builders in one section", async () => {
  const { sections } = await composeSite(document);
  const builders = sections.filter(({ pages }) =>
    pages.some(
      ({ path }) => /testing-a-|requirements|versioning$|guides\/ci/.test(path) && path !== "versioning",
    ),
  );
  expect(builders.map(({ title }) => title)).toEqual(["For builders"]);
});

test("llms.txt has absolute URLs, and no page for builders", () => {
  const list = files.get("llms.txt") ?? "";
  expect(list).toContain(
    "](https://docs.example.com/mail/operations/send-email.md): `POST /api/v1/emails`. ",
  );
  expect(list.match(/\]\((?!https:\/\/docs\.example\.com\/mail\/)/)).toBeNull();
});

test("the skill has the URL of the list of pages, so that it works in any project", async () => {
  const [, first = ""] = /^# .*\n\n([\s\S]*?)\n\n/m.exec(files.get(skillFile) ?? "") ?? [];
  expect(first).toContain("its list of pages, <https://docs.example.com/mail/llms.txt>.");
  const others = await textFiles({ document, site, config: siteConfig() });
  expect(others.get(skillFile)).toContain("its list of pages, `llms.txt`.");
});

test.for([
  [{ name: "The *bakery*", email: "help@a.example" }, "ask [The \\*bakery\\*](mailto:help@a.example)."],
  [{ url: "https://a.example/help" }, "ask [https://a.example/help](https://a.example/help)."],
  [{ name: "The bakery" }, "ask The bakery."],
  [undefined, "ask the provider of the service."],
] as const)("the quick start names %j for a key", async ([contact, expected]) => {
  const guides = pagesOf(await composeSite(document, siteConfig(contact && { contact })));
  const { text = "" } = guides.find(({ path }) => path === "guides/quick-start") ?? {};
  expect(text).toContain(`to open an account, ${expected}`);
});

test("the file of errors says what it is, with the title of the publisher", () => {
  const info = { ...document.info, title: "Bakery Mail", version: "1.2.0" };
  expect(errorTable({ ...document, info })).toMatch(
    /^\/\/ Error table of Bakery Mail 1\.2\.0\. Copy it into your project\.\n\n\/\*\* An error: /,
  );
});

test("a dead link of a card ends the build with the line of the configuration", () =>
  withFiles(
    { "docs.config.yaml": "home:\n  cards:\n    - { title: Mail, url: /erors/, text: All. }\n" },
    async (folder) => {
      const config = loadSiteConfig(join(folder, "docs.config.yaml"));
      const all = await composeSite(document, config);
      expect(() => withLinks(all.start, { pages: pagesOf(all), base: "/", form: "html" })).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(/docs\.config\.yaml:3 links to erors, which does not exist/),
          exitCode: 2,
        }),
      );
    },
  ));

const homeOf = async (home: NonNullable<SiteConfig["home"]>): Promise<Page> =>
  (await composeSite(document, siteConfig({ home }))).start;

test("the first page has the title, lead and cards of the publisher", async () => {
  const { title, description, text } = await homeOf({
    title: "Mail",
    lead: "Send [errors](/errors/).",
    cards: [{ title: "Start", url: "/guides/sending/", text: "Now." }],
  });
  expect([title, description]).toEqual(["Mail", "Send errors."]);
  expect(text).toMatch(/^Send \[errors\]\(site:errors\)\.\n\n<div class="go">/);
  expect(text).toContain("## [Start](site:guides/sending)\n\nNow.");
  expect(text).not.toContain("## [Call the API]");
  expect(text).toContain("## Operations");
});

test("the title of a card is plain text, and the other texts of the first page have no HTML", async () => {
  const card = { title: "Send & <receive> [*now*]", url: "/guides/sending/", text: "At <b>once</b>." };
  const { description, text } = await homeOf({ lead: "Fast <i>mail</i>.", cards: [card] });
  expect(text).toContain("## [Send &amp; &lt;receive&gt; \\[\\*now\\*\\]](site:guides/sending)\n\nAt once.");
  expect([description, text.slice(0, 10)]).toEqual(["Fast mail.", "Fast mail."]);
});

test("without cards, the built-in ones are removed", async () => {
  expect((await homeOf({ cards: [] })).text).not.toContain('class="card');
});

test("the first page can be a file, which a list of the operations follows", async () => {
  const file = join(temporaryFolder(), "home.md");
  await writeFile(file, "# Mail for bakeries\n\nHello.\n");
  const { path, title, text } = await homeOf({ file });
  expect([path, title]).toEqual(["", "Mail for bakeries"]);
  expect(text).toMatch(/^Hello\.\n\n## Operations/);
});
