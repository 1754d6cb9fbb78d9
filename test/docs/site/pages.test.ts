import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { siteUrl, urlOf, type Visited, views, visitAll } from "./visit.ts";

let pages: Visited[];
beforeAll(async () => {
  pages = await visitAll();
}, 480_000);

test.each(views)("axe finds no problem, and no page is wider than the viewport: %s", (view) => {
  const problems = pages.flatMap((page) => page.problems.get(view)?.map((text) => `${page.path}: ${text}`));
  expect(problems).toEqual([]);
});

test("no request leaves the site", () => {
  const requests = pages.flatMap((page) => page.requests);
  expect(requests.length).toBeGreaterThan(pages.length);
  expect(requests.filter((url) => !url.startsWith(siteUrl) && !url.startsWith("data:"))).toEqual([]);
});

test("every link within the site leads to an existing page, file and anchor", () => {
  const ids = new Map(pages.map((page) => [urlOf(page.path), new Set(page.ids)]));
  const broken = pages.flatMap(({ path, links }) =>
    links
      .filter((link) => link.startsWith(new URL(siteUrl).origin) && !isResolved(link, ids))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function isResolved(link: string, ids: ReadonlyMap<string, ReadonlySet<string>>): boolean {
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

test("no id is on a page twice", () => {
  const duplicates = pages.flatMap(({ path, ids }) =>
    ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}#${id}`),
  );
  expect(duplicates).toEqual([]);
});
