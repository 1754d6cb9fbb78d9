import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../scripts/common/paths.ts";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { editLink } from "../../../scripts/docs/links.ts";
import { pagesOf } from "../../../scripts/docs/page.ts";
import { composeSite } from "../../../scripts/docs/site.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

const document = await readBundle();
const pages = pagesOf(await composeSite(document));
const editUrl = "https://git.test/edit/main/";

test("in a clone, every page links to an existing file", () => {
  const links = pages.map((page) => editLink(document, page, siteConfig({ editUrl })));
  const files = links.map((link = "") => link.slice(editUrl.length));
  expect(files.filter((file) => file === "" || !existsSync(join(root, file)))).toEqual([]);
});

test.for([
  ["guides/sending", "docs/sending.md"],
  ["guides/client", "client/README.md"],
  ["operations/unsubscribe-contact", "openapi/paths/newsletter-contacts-email-unsubscribe.yaml"],
  ["objects/send-request", "openapi/schemas/SendRequest.yaml"],
  ["errors", "openapi/errors.yaml"],
])("%s is written in %s", ([path, file]) => {
  const page = pages.find((one) => one.path === path);
  expect(page && editLink(document, page, siteConfig({ editUrl }))).toBe(`${editUrl}${file}`);
});

test("a configuration in a folder of the clone gives the same links", () => {
  const config = siteConfig({ editUrl: `${editUrl}site/`, folder: join(root, "site") });
  const [start] = pages;
  expect(start && editLink(document, start, config)).toBe(`${editUrl}docs/index.md`);
});

test.for([
  ["without the setting", {}],
  ["outside a clone", { editUrl, folder: join(root, "../elsewhere") }],
  ["of an earlier version", { editUrl, version: "1.0.0" }],
] as const)("no page has a link %s", ([, config]) => {
  expect(pages.map((page) => editLink(document, page, siteConfig(config))).filter(Boolean)).toEqual([]);
});
