import { expect, test } from "vitest";
import { siteConfig } from "../../scripts/docs/config/site-config.ts";
import { skillFile, withLinks, withoutRemovedPages } from "../../scripts/docs/links.ts";
import { pagesOf } from "../../scripts/docs/page.ts";
import { searchEntries } from "../../scripts/docs/search/entries.ts";
import { composeSite } from "../../scripts/docs/site.ts";
import { textFiles } from "../../scripts/docs/text-files.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { changed } from "./with-files.ts";

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
  expect(skill).toContain("characters:\n   `POST /emails`. Always");
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
  expect(notes).toEqual([]);
});
