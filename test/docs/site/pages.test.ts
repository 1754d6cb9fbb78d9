import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { readBundle } from "../../../scripts/read-bundle.ts";
import { factsOf } from "./facts.ts";
import { siteUrl, urlOf, type Visited, visitAll } from "./visited.ts";

let pages: Visited[];
beforeAll(async () => {
  pages = await visitAll();
}, 480_000);

test.each(["light", "dark", "narrow"] as const)(
  "axe finds nothing on any page, and nothing is wider than the screen: %s",
  (view) => {
    const wrong = pages.flatMap((page) => page.wrong[view].map((text) => `${page.address}: ${text}`));
    expect(wrong).toEqual([]);
  },
);

test("no request leaves the site", () => {
  const asked = pages.flatMap((page) => page.asked);
  expect(asked.length).toBeGreaterThan(pages.length);
  expect(asked.filter((url) => !url.startsWith(siteUrl) && !url.startsWith("data:"))).toEqual([]);
});

test("every link within the site leads to a page or a file, and to a place that is there", () => {
  const ids = new Map(pages.map((page) => [urlOf(page.address), new Set(page.ids)]));
  const dead = pages.flatMap(({ address, links }) =>
    links
      .filter((link) => link.startsWith(new URL(siteUrl).origin) && !leads(link, ids))
      .map((link) => `${address}: ${link}`),
  );
  expect(dead).toEqual([]);
});

function leads(link: string, ids: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const { origin, pathname, hash } = new URL(link);
  const page = ids.get(origin + pathname);
  if (page !== undefined) return hash === "" || page.has(decodeURIComponent(hash.slice(1)));
  const base = new URL(siteUrl).pathname;
  return (
    pathname.startsWith(base) &&
    /\.\w+$/.test(pathname) &&
    existsSync(join(inject("siteFolder"), pathname.slice(base.length)))
  );
}

test("no place is on a page twice", () => {
  const doubled = pages.flatMap(({ address, ids }) =>
    ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${address}#${id}`),
  );
  expect(doubled).toEqual([]);
});

/** Text without what Markdown marks it with, and with the quotes and dots of a typist. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll("…", "...")
    .replaceAll(/\s+/g, " ")
    .trim();

test("every fact of the document stands on the page where a reader looks for it", async () => {
  const texts = new Map(pages.map(({ address, text }) => [address, plain(text)]));
  const facts = factsOf(await readBundle());
  const lost = facts.filter(({ page, text }) => texts.get(page)?.includes(plain(text)) !== true);
  expect(lost).toEqual([]);
  const kinds = [...new Set(facts.map(({ kind }) => kind))].sort();
  expect(kinds).toMatchInlineSnapshot(`
    [
      "ability",
      "call",
      "const",
      "contentEncoding",
      "default",
      "description",
      "error",
      "error type",
      "example",
      "example name",
      "example value",
      "field",
      "format",
      "header",
      "id",
      "limit",
      "link",
      "maxItems",
      "maxLength",
      "maxProperties",
      "maximum",
      "media type",
      "minItems",
      "minimum",
      "open",
      "operationId",
      "parameter",
      "pattern",
      "reason",
      "recipient",
      "remedy",
      "requirement",
      "requirement id",
      "rule",
      "schema",
      "status",
      "summary",
      "tag",
      "transition",
      "value",
    ]
  `);
  console.log(`${facts.length} facts of ${kinds.length} kinds were looked for on ${texts.size} pages.`);
});
