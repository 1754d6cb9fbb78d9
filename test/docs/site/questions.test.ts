import { expect, test } from "vitest";
import questions from "./questions.json" with { type: "json" };
import { searchIn } from "./searching.ts";
import { builderPaths, inBrowser, urlOf } from "./visit.ts";

// What newcomers ask in the public trackers of email APIs, with the pages that explain it: any of them may be found.

const open = inBrowser();

/** How many results a reader looks at. */
const looked = 3;

const withoutFragment = (url: string): string => url.replace(/#.*/, "");

/** `npx vitest run --config test/docs/site/vitest.config.ts questions --reporter verbose` shows the rank of each. */
test("a page that explains what a newcomer asks is among the first three results", async ({ annotate }) => {
  const found = await searchIn(open)(
    questions.map(({ text }) => text),
    looked,
  );
  const missed: object[] = [];
  for (const [index, { text, pages }] of questions.entries()) {
    const results = (found[index]?.results ?? []).map(({ urls }) => urls);
    const expected = pages.map(urlOf);
    const rank = results.findIndex((urls) => urls.some((url) => expected.includes(url))) + 1;
    await annotate(`${text}: ${rank}`);
    if (rank === 0) missed.push({ text, results });
  }
  expect(missed).toEqual([]);
});

test("guides and the reference come before pages for builders", async () => {
  const built = new Set(builderPaths.map(urlOf));
  expect(built.size).toBeGreaterThan(5);
  const ofReaders = questions.filter(({ pages }) => !pages.some((page) => built.has(urlOf(page))));
  const texts = [...ofReaders.map(({ text }) => text), "errors", "idempotency", "limits"];
  const found = await searchIn(open)(texts, 5);
  const wrong = texts.filter((_, index) => {
    const urls = found[index]?.results.map(({ urls: [url = ""] }) => withoutFragment(url)) ?? [];
    const first = urls.findIndex((url) => built.has(url));
    return first !== -1 && urls.slice(first).some((url) => !built.has(url));
  });
  expect(wrong).toEqual([]);
});

test("every page and anchor of a question exists", async () => {
  const page = await open("");
  const places = Map.groupBy(new Set(questions.flatMap(({ pages }) => pages)), withoutFragment);
  const missing: string[] = [];
  for (const [path, all] of places) {
    const response = await page.goto(urlOf(path));
    const ids = await page.locator("[id]").evaluateAll((nodes) => nodes.map(({ id }) => id));
    const fragments = all.flatMap((place) => place.split("#").slice(1));
    if (response?.ok() !== true) missing.push(path);
    missing.push(...fragments.filter((id) => !ids.includes(id)).map((id) => `${path}#${id}`));
  }
  expect(missing).toEqual([]);
});

test("there are more than fifty questions with the place where they were asked, each once", () => {
  expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length);
  const places = questions.flatMap(({ asked }) => asked ?? []);
  expect(places.length).toBeGreaterThan(50);
  expect(places.filter((url) => !url.startsWith("https://github.com/"))).toEqual([]);
});
