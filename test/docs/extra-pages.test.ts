import { join } from "node:path";
import { expect, test } from "vitest";
import { displayPath } from "../../lib/files.ts";
import { siteConfig } from "../../scripts/docs/config/site-config.ts";
import { withLinks } from "../../scripts/docs/links.ts";
import type { Page } from "../../scripts/docs/page.ts";
import { extraPages } from "../../scripts/docs/written-pages.ts";
import { withFiles } from "./with-files.ts";

test("a link in the code of an extra page is left as it is", async () => {
  const text = "# Support\n\nAsk [us](/errors/).\n\n```md\n[a](/errors/)\n```\n";
  await withFiles({ "support.md": text }, async (folder) => {
    const [page] = await extraPages(siteConfig({ pages: [join(folder, "support.md")] }), []);
    expect(page?.text).toContain("[us](site:errors)");
    expect(page?.text).toContain("```md\n[a](/errors/)\n```");
  });
});

const errorsPage: Page = { path: "errors", title: "Errors", description: "", text: "" };

test("a dead link of an extra page is an error that names the file, its line, and where all pages are listed", async () => {
  const text = "# Support\n\nAsk us.\n\nSee [errors](/errors/) and [this](/erors/).\n";
  await withFiles({ "support.md": text }, async (folder) => {
    const file = join(folder, "support.md");
    const [extra] = await extraPages(siteConfig({ pages: [file] }), []);
    const links = (): string =>
      withLinks(extra ?? errorsPage, { pages: [errorsPage], base: "/", form: "html" });
    expect(links).toThrow(`${displayPath(file)}:5 links to erors, which does not exist`);
    expect(links).toThrow(
      expect.objectContaining({ exitCode: 2, hint: expect.stringMatching(/\/errors\/.*llms\.txt/) }),
    );
  });
});
