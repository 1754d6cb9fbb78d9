import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { kebab, operationPath } from "../../../scripts/docs/page.ts";
import { synonyms } from "../../../scripts/docs/search/keywords.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { type Found, searchIn } from "./searching.ts";
import { inBrowser, paths, siteUrl, urlOf } from "./visit.ts";

const open = inBrowser();
const search = searchIn(open);
const document = await readBundle();
const operations = operationsOf(document);

const requirement = "requirements#";

const first = ({ results: [one] }: Found): string[] => one?.urls ?? [];

test("every page with synonyms exists", () => {
  const pages = Object.keys(synonyms).map((place) => place.replace(/#.*/, ""));
  expect(pages.filter((path) => !paths.includes(path))).toEqual([]);
});

test.each<[what: string, pairs: (readonly [term: string, path: string])[]]>([
  [
    "a synonym",
    Object.entries(synonyms).flatMap(([path, words]) =>
      path.includes("#") ? [] : words.map((word) => [word, path] as const),
    ),
  ],
  [
    "the id, the summary, or method and path of an operation",
    operations.flatMap(({ id, method, path, operation }) =>
      [id, operation.summary, `${method.toUpperCase()} ${path}`].map(
        (term) => [term, operationPath(id)] as const,
      ),
    ),
  ],
  [
    "what names an operation or an error",
    [
      ["POST /emails", "operations/send-email"],
      ["POST /emails/batch", "operations/send-batch"],
      ["DELETE /emails/{id}", "operations/cancel-email"],
      ["template_id", "operations/send-email"],
      ["429", "errors"],
      ["503", "errors"],
      ["rate limited", "errors"],
    ],
  ],
  [
    "the title of a page",
    [
      ["limits", "limits"],
      ["limit", "limits"],
      ["Errors", "errors"],
      ["idempotency", "idempotency"],
      ["versioning", "versioning"],
      ["requirements", "requirements"],
    ],
  ],
  [
    "what a reader wants to do",
    [
      ["scheduled mail", "operations/send-email"],
      ["schedule a mail", "operations/send-email"],
      ["send a scheduled mail in Go", "operations/send-email"],
      ["cancel a scheduled mail", "operations/cancel-email"],
      ["scheduled mail cancel", "operations/cancel-email"],
      ["all or nothing", "operations/send-batch"],
      ["reschedule a mail", "operations/reschedule-email"],
      ["subscription", "objects/membership"],
    ],
  ],
])("the first result for %s is its page", async (_, pairs) => {
  const found = await search(pairs.map(([term]) => term));
  const pages = found.map((one) => first(one)[0]?.replace(/#.*/, ""));
  expect(pairs.map(([term], index) => [term, pages[index]])).toEqual(
    pairs.map(([term, path]) => [term, urlOf(path)]),
  );
});

test("a phrase for a requirement finds it below the page of the phrase", async () => {
  const places = Object.entries(synonyms).filter(([place]) => place.startsWith(requirement));
  for (const [place, phrases] of places)
    for (const [index, { results }] of (await search(phrases.map((one) => one.toUpperCase()))).entries())
      expect(results[1]?.urls[0], phrases[index]).toBe(urlOf(place));
  expect(places).not.toEqual([]);
});

test("a phrase for a section is among the first results, in any order of its words", async () => {
  const pairs = Object.entries(synonyms)
    .filter(([place]) => place.includes("#") && !place.startsWith(requirement))
    .flatMap(([place, phrases]) => phrases.map((phrase) => [phrase, place] as const));
  const found = await search(pairs.map(([phrase]) => phrase.split(" ").reverse().join(" ")));
  for (const [index, [phrase, place]] of pairs.entries())
    expect(
      found[index]?.results.map(({ urls }) => urls[0]),
      phrase,
    ).toContain(urlOf(place));
});

test("Enter opens the section of a question, not the top of its page", async () => {
  const expected = {
    "409 send_rejected": "errors#409-send_rejected",
    "double opt-in": "guides/newsletter#double-opt-in",
    "how long can a message be looked up": "limits#messageLookup",
    "import contacts": "not-covered#other-ways-to-send-and-to-subscribe",
    "retry after a timeout": "guides/errors-and-retries#decide-whether-to-retry",
    "suppressed recipients": "guides/sending#handle-suppressed-recipients",
    "test a bounce": "simulator#bounce",
  };
  const found = await search(Object.keys(expected));
  expect(found.map((one) => first(one)[0])).toEqual(Object.values(expected).map(urlOf));
});

test("an error is found by its status, and by status and type", async () => {
  const rows = document["x-errors"];
  const texts = rows.map(({ status, type }) => [`Error ${status}`, `${status} ${type ?? ""}`] as const);
  const found = await search(texts.flat(), 4);
  for (const [index, { id }] of rows.entries())
    for (const position of [2 * index, 2 * index + 1])
      expect(
        found[position]?.results.map(({ urls }) => urls[0]),
        texts.flat()[position],
      ).toContain(`${siteUrl}errors/#${id.replaceAll(".", "-")}`);
});

test("an id leads to its row, and a number or too much of something to the limit and its error", async () => {
  const limit = "limits/#recipientsPerField";
  const error = "errors/#422-invalid_request";
  const expected: Record<string, string[]> = {
    "SEND-3": ["requirements/#SEND-3"],
    "send-3": ["requirements/#SEND-3"],
    "OPEN-4": ["unspecified/#OPEN-4"],
    recipientsPerField: [limit],
    "422.invalid_request": [error],
    "50 recipients": [limit, error],
    "51 recipients": [limit, error],
    "recipient limit": [limit, error],
    "maximum recipients": [limit, error],
    "too many recipients": [error, limit],
    "too many requests": ["errors/#429-rate_limited", "limits/#requestsPerMinute"],
    "100 messages": ["limits/#batchMessages", error],
    "subject too long": [error, "limits/#subjectLength"],
    "message too large": ["errors/#413-send_rejected", "limits/#messageSize"],
  };
  const found = await search(Object.keys(expected));
  for (const [index, [term, urls]] of Object.entries(expected).entries())
    expect(
      found[index]?.results.slice(0, urls.length).map((one) => one.urls[0]),
      term,
    ).toEqual(urls.map((url) => siteUrl + url));
  const [rows] = await search(["52 recipients"], 5);
  expect(rows?.results.flatMap(({ urls }) => urls).filter((url) => /#50\d/.test(url))).toEqual([]);
});

test("the first result for a parameter or property of a request is an operation", async () => {
  const terms = ["scheduled_at", "list_id", "custom_fields", "subject"];
  for (const [index, found] of (await search(terms)).entries())
    expect(first(found)[0], terms[index]).toContain(`${siteUrl}operations/`);
});

test("the first result for an error type leads to a row of that type", async () => {
  const types = Map.groupBy(document["x-errors"], ({ type }) => type ?? "");
  types.delete("");
  const found = await search([...types.keys()]);
  for (const [index, [type, rows]] of [...types].entries()) {
    const places = rows.map(({ id }) => `${urlOf("errors")}#${id.replaceAll(".", "-")}`);
    expect(places, type).toContain(found[index]?.results[0]?.urls[0]);
  }
});

test("a word that no page has finds nothing, and beside another word is ignored", async () => {
  const unknown = ["xyzzyq", "emial", "xyzzyq qqq"];
  expect((await search(unknown)).map(({ count }) => count)).toEqual([0, 0, 0]);
  const known = ["try", "schedul", "suppressionlists"];
  expect((await search(known)).filter(({ count }) => count === 0)).toEqual([]);
  const [beside, alone] = await search(["xyzzyq reschedule", "reschedule"]);
  expect(beside?.count).toBe(alone?.count);
});

test("search finds the row of every limit by its name", async () => {
  const names = Object.keys(document["x-limits"]);
  const found = await search(names);
  expect(found.map((one) => first(one)[0])).toEqual(names.map((name) => urlOf(`limits#${name}`)));
});

test("search finds the page of every field, error type and operation", async () => {
  const fields = new Set(
    Object.values(document.components.schemas ?? {}).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    ),
  );
  const types = new Set(document["x-errors"].flatMap(({ type }) => type ?? []));
  const terms = [
    ...[...fields].map((term) => ({ term, page: "(operations|objects)/" })),
    ...[...types].map((term) => ({ term, page: "errors/" })),
    ...operations.map(({ id }) => ({ term: id, page: `operations/${kebab(id)}/` })),
  ];
  expect(terms.length).toBeGreaterThan(80);
  const found = await search(
    terms.map(({ term }) => term),
    10,
  );
  const missing = terms.filter(({ page }, index) => {
    const wanted = new RegExp(`^${siteUrl}${page}`);
    return !found[index]?.results.some(({ urls: [url = ""], hasTerm }) => wanted.test(url) && hasTerm);
  });
  expect(missing).toEqual([]);
});

const inputOf = (page: Page): Locator => page.locator("#starlight__search input");

/** Opens the dialog by its keys. */
async function openDialog(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await inputOf(page).waitFor();
}

const resultLinks = (page: Page): Locator => page.locator("#starlight__search .pagefind-ui__result-link");

/** Waits for the results of a term: after slow typing, those of the first letters come first. */
const resultsFor = (page: Page, term: string): Promise<void> =>
  page.locator("#starlight__search .pagefind-ui__message", { hasText: `for ${term}` }).waitFor();

test("the search field has the same ranking, does not show what it finds a page by, and says that it finds nothing", async () => {
  const page = await open("");
  await openDialog(page);
  const hint = `getComputedStyle(document.querySelector("#starlight__search").closest("site-search").querySelector("button"), "::after").content`;
  expect(await page.evaluate(hint)).toBe('"/ or Ctrl K"');
  for (const [term, path] of [
    ["POST /emails", "operations/send-email"],
    ["unsubscribe link", "operations/unsubscribe-contact"],
  ] as const) {
    await inputOf(page).fill(term);
    await resultsFor(page, term);
    const link = resultLinks(page).first();
    expect(await link.evaluate((one) => String((one as { href?: string }).href))).toBe(urlOf(path));
  }
  expect(await page.locator(".pagefind-ui__result-tags").first().isVisible()).toBe(false);
  const suggestion = page.getByRole("navigation", { name: "Suggestions" }).getByRole("link").first();
  expect(await suggestion.isVisible()).toBe(false);
  await inputOf(page).fill("xyzzyq");
  await page.getByText("No results for xyzzyq").waitFor();
  expect(await suggestion.isVisible()).toBe(true);
  expect(await page.locator("#starlight__search .pagefind-ui__result").count()).toBe(0);
});

test("the search works with the keyboard", async () => {
  const page = await open("");
  await openDialog(page);
  await page.keyboard.type("not_reschedulable");
  await resultsFor(page, "not_reschedulable");
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return page.evaluate("document.activeElement.matches('.pagefind-ui__result-link')");
    })
    .toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname !== new URL(siteUrl).pathname);
  await expect.poll(() => page.locator("main").textContent()).toContain("not_reschedulable");
});

test("the arrow keys move from the search field through the results and back", async () => {
  const page = await open("");
  await openDialog(page);
  await inputOf(page).fill("suppressed");
  await resultLinks(page).nth(1).waitFor();
  const [input, one, two] = [inputOf(page), resultLinks(page).nth(0), resultLinks(page).nth(1)];
  for (const [key, focused] of [
    ["ArrowUp", input],
    ["ArrowDown", one],
    ["ArrowDown", two],
    ["ArrowUp", one],
    ["ArrowUp", input],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused.evaluate((node) => node.matches(":focus")), key).toBe(true);
  }
});

/** A page with the dialog of the search open, whose field comes after `load` is called: the browser is never idle. */
async function openWithoutField(): Promise<{ page: Page; load: () => void }> {
  const page = await open("");
  await page.addInitScript("requestIdleCallback = () => 0");
  const { promise, resolve: load } = Promise.withResolvers<void>();
  await page.route("**/_astro/ui-core*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await page.reload();
  await page.keyboard.press("Control+k");
  return { page, load };
}

test("Enter opens the first result before the search field is there", async () => {
  const { page, load } = await openWithoutField();
  await page.keyboard.type("51 recipients");
  await page.keyboard.press("Enter");
  await page.waitForURL(urlOf("limits#recipientsPerField"));
  load();
});

test("the dialog of the search takes what is typed before its field is there", async () => {
  const { page, load } = await openWithoutField();
  await page.keyboard.type("suppressed");
  expect(await inputOf(page).count()).toBe(0);
  load();
  await expect.poll(() => inputOf(page).inputValue()).toBe("suppressed");
  expect(await inputOf(page).evaluate((one) => one.matches(":focus"))).toBe(true);
  await resultsFor(page, "suppressed");
});

test("/ opens the search, with suggestions until a word is typed, and Enter opens the first result", async () => {
  const page = await open("limits");
  await page.keyboard.press("/");
  const suggestions = page.getByRole("navigation", { name: "Suggestions" });
  await expect.poll(() => suggestions.getByRole("link").count()).toBeGreaterThan(5);
  const targets = await suggestions.getByRole("link").evaluateAll((all) => all.map(String));
  expect(targets.filter((link) => !paths.map(urlOf).includes(link))).toEqual([]);
  await expect.poll(() => inputOf(page).count()).toBe(1);
  await page.keyboard.press("ArrowDown");
  expect(
    await suggestions
      .getByRole("link")
      .first()
      .evaluate((one) => one.matches(":focus")),
  ).toBe(true);
  await page.keyboard.press("ArrowUp");
  // At once, before the dialog shows a result.
  await page.keyboard.type("51 recipients");
  await page.keyboard.press("Enter");
  await page.waitForURL(urlOf("limits#recipientsPerField"));
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("a search with a language leads to samples in it", async () => {
  const page = await open("");
  const selected = async (text: string): Promise<string> => {
    await page.keyboard.press("/");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await page.waitForURL(urlOf("operations/send-batch#request"));
    return page.locator("[data-choice] input:checked").first().inputValue();
  };
  expect(await selected("python batch")).toBe("Python");
  await page.goto(urlOf("limits"));
  // It stays selected, also for "go" as a word of a sentence.
  expect(await selected("batch example go")).toBe("Python");
});

test("/ is a character in a field", async () => {
  const page = await open("requirements");
  await page.getByLabel("Filter").press("/");
  expect(await page.getByLabel("Filter").inputValue()).toBe("/");
  expect(await page.getByRole("dialog").count()).toBe(0);
});
