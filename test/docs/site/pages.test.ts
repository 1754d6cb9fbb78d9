import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { siteUrl, urlOf, type Visited, visitAll } from "./visit.ts";

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
