import { expect, test } from "vitest";
import { documentForClients } from "../../scripts/docs/audience.ts";
import { usedComponents } from "../../scripts/docs/config/removed-operations.ts";
import { siteConfig } from "../../scripts/docs/config/site-config.ts";
import { skillFile, withLinks, withoutRemovedPages } from "../../scripts/docs/links.ts";
import { pagesOf } from "../../scripts/docs/page.ts";
import { searchEntries } from "../../scripts/docs/search/entries.ts";
import { composeSite } from "../../scripts/docs/site.ts";
import { errorTable } from "../../scripts/docs/stage.ts";
import { textFiles } from "../../scripts/docs/text-files.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { changed } from "./with-files.ts";

const bundle = await readBundle();

test("a path and a group whose last operation is removed are removed", async () => {
  const { paths } = await changed({ target: "$.paths['/api/v1/me'].get", remove: true });
  expect(Object.keys(paths)).not.toContain("/api/v1/me");
  const document = await changed({ target: "$.paths['/api/v1/me']", remove: true });
  expect(document.tags.map(({ name }) => name)).toEqual(["Emails", "Newsletter"]);
  const { start, sections } = await composeSite(document);
  expect(sections.map(({ title }) => title)).not.toContain("Account");
  expect(start.text).not.toContain("### Account");
});

test("what only a removed operation has is removed: its object, and its line in the skill", async () => {
  const target = "$.paths['/api/v1/me']";
  const removed = await changed({ target, remove: true });
  expect(removed.components.schemas).not.toHaveProperty("Account");
  expect(removed.components.schemas).toHaveProperty("Page");
  const site = withoutRemovedPages(await composeSite(removed), removed, await readBundle());
  expect(pagesOf(site).map(({ path }) => path)).not.toContain("objects/account");
  const files = await textFiles({ document: removed, site, config: siteConfig() });
  expect(files.get(skillFile)).not.toMatch(/get-me|v1\/me/);
  expect(files.get(skillFile)).toContain("`operations/send-email.md` |\n");
});

test("the skill has no section and no path for a removed operation", async () => {
  const paths = Object.keys((await readBundle()).paths).filter((path) => /batch|newsletter/.test(path));
  const removed = await changed(...paths.map((path) => ({ target: `$.paths['${path}']`, remove: true })));
  const site = withoutRemovedPages(await composeSite(removed), removed, await readBundle());
  const skill = (await textFiles({ document: removed, site, config: siteConfig() })).get(skillFile);
  expect(skill).not.toMatch(/## Keep contacts|## Send a batch|\/newsletter\/|emails\/batch/);
  expect(skill).toContain("are safe:\n   `POST /emails`. Always");
});

test("points that only removed operations leave unspecified are removed, from the search too", async () => {
  const removed = await changed({ target: "$.paths['/api/v1/me']", remove: true });
  const { text = "" } = pagesOf(await composeSite(removed)).find(({ path }) => path === "unspecified") ?? {};
  const ids = searchEntries(removed, ["requirements", "unspecified"]).map(({ id }) => id);
  expect(text).not.toMatch(/"OPEN-(8|13|70)"|getMe/);
  expect(ids.filter((id) => /^OPEN-(8|13|70)$/.test(id))).toEqual([]);
  expect(text).toContain('"OPEN-1"');
  expect(ids).toContain("OPEN-22");
});

/** What the published document still says of the parts that were removed from it. */
const removals: [removed: string, paths: string[], words: RegExp][] = [
  ["an operation of a group", ["/api/v1/me"], /getMe|v1(\/|~1)me\b|"Account"/],
  ["an operation with limits", ["/api/v1/emails/batch"], /sendBatch|~1batch\b|Batch(?! messages cannot)/],
  [
    "a group",
    Object.keys(bundle.paths).filter((path) => path.includes("newsletter")),
    /(upsert|get|unsubscribe)Contact|newsletter(\/|~1)(?!manage)|NewsletterList|Membership(?!")|#409-idem/,
  ],
];

test.each(removals)(
  "the document of a site for clients says nothing of %s that is removed",
  async (_, paths, words) => {
    const actions = paths.map((path) => ({ target: `$.paths['${path}']`, remove: true }));
    const document = documentForClients(await changed(...actions));
    const lines = JSON.stringify(document, null, 1).split("\n");
    expect(lines.filter((line) => words.test(line))).toEqual([]);
    expect(errorTable(document)).not.toMatch(words);
  },
);

test("no component, link or error is left that only a removed operation has", async () => {
  const document = await changed({ target: "$.paths['/api/v1/emails/{id}'].delete", remove: true });
  const before = usedComponents(bundle);
  const used = usedComponents(document);
  const left = Object.entries(document.components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  expect(left.filter((name) => before.has(name) && !used.has(name))).toEqual([]);
  expect(document["x-errors"].map(({ id }) => id)).not.toContain("409.not_cancellable");
  expect(document["x-errors"].map(({ id }) => id)).toContain("404.not_found.path");
  expect(JSON.stringify(document)).not.toContain("cancelEmail");
});

test("a page does not say that a removed operation is covered, and links to removed rows are text", async () => {
  const paths = ["/api/v1/me", "/api/v1/emails/batch"];
  const removed = await changed(...paths.map((path) => ({ target: `$.paths['${path}']`, remove: true })));
  const site = withoutRemovedPages(await composeSite(removed), removed, bundle);
  const texts = pagesOf(site).map(({ text }) => text);
  expect(texts.join()).not.toMatch(/Get the current API key|site:limits#batchMessages|#OPEN-13\b/);
});

test("an object of an object that only a removed operation has is removed", async () => {
  const target = "$.paths['/api/v1/newsletter/lists']";
  const { components } = await changed({ target, remove: true });
  expect(Object.keys(components.schemas ?? {}).filter((name) => name.startsWith("NewsletterList"))).toEqual(
    [],
  );
});

test("links to a removed operation are text, and a note names the guides that have them", async () => {
  const target = "$.paths['/api/v1/emails/{id}'].delete";
  const document = await changed({ target, remove: true });
  const site = withoutRemovedPages(await composeSite(document), document, await readBundle());
  const pages = pagesOf(site);
  for (const page of pages) withLinks(page, { pages, base: "/", form: "html" });
  expect(pages.map(({ text }) => text).join()).not.toContain("site:operations/cancel-email");
  expect(site.notes).toEqual([
    "operations/cancel-email is not in the document: links to it are text in guides/scheduling",
    "workflows/schedule is left out: it uses an operation that the document lacks",
  ]);
});

test("a removed operation is not taken for one whose name begins like it", async () => {
  const target = "$.paths['/api/v1/emails'].post";
  const bundle = await readBundle();
  const site = await composeSite(bundle);
  const only = {
    ...site,
    sections: [],
    start: { ...site.start, text: "[batch](site:operations/send-email-batch)" },
  };
  const { notes } = withoutRemovedPages(only, await changed({ target, remove: true }), bundle);
  expect(notes?.filter((note) => note.startsWith("operations/"))).toEqual([]);
});
