import { expect, test } from "vitest";
import questions from "./questions.json" with { type: "json" };
import { searchIn } from "./searching.ts";
import { inBrowser, urlOf } from "./visit.ts";

// What newcomers ask in the public trackers of email APIs, with the pages that answer it: any of them may be found.

const open = inBrowser();

/** How many results a reader looks at. */
const looked = 3;

const withoutFragment = (url: string): string => url.replace(/#.*/, "");

test("a page that answers a question of a newcomer is among the first three results", async () => {
  const found = await searchIn(open)(
    questions.map(({ text }) => text),
    looked,
  );
  const missed = questions.flatMap(({ text, pages }, index) => {
    const results = (found[index]?.results ?? []).map(({ urls: [url = ""] }) => withoutFragment(url));
    const answers = pages.map((page) => withoutFragment(urlOf(page)));
    return results.some((url) => answers.includes(url)) ? [] : [{ text, results }];
  });
  expect(missed).toEqual([]);
});

test("every answer to a question exists", async () => {
  const page = await open("");
  const answers = Map.groupBy(new Set(questions.flatMap(({ pages }) => pages)), withoutFragment);
  const missing: string[] = [];
  for (const [path, all] of answers) {
    const response = await page.goto(urlOf(path));
    const ids = await page.locator("[id]").evaluateAll((nodes) => nodes.map(({ id }) => id));
    const fragments = all.flatMap((answer) => answer.split("#").slice(1));
    if (response?.ok() !== true) missing.push(path);
    missing.push(...fragments.filter((id) => !ids.includes(id)).map((id) => `${path}#${id}`));
  }
  expect(missing).toEqual([]);
});

test("there are fifty questions, each once, with the place where it was asked", () => {
  expect(new Set(questions.map(({ text }) => text)).size).toBe(50);
  expect(questions.filter(({ asked }) => !asked.startsWith("https://github.com/"))).toEqual([]);
});
