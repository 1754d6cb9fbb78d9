import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operationPath } from "../../../scripts/docs/page.ts";
import { metaWeights, requirementPhrases, synonyms } from "../../../scripts/docs/search/keywords.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import { kebab } from "./facts/fact.ts";
import { inBrowser, paths, siteUrl, urlOf } from "./visit.ts";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(siteUrl);
});
afterAll(() => browser.close());

/** The first result for each term, and what is found below it, with the ranking of the site. */
const resultsOf = (terms: readonly string[]): Promise<string[][]> =>
  page.evaluate<string[][]>(`(async () => {
    const pagefind = await import("${siteUrl}pagefind/pagefind.js");
    await pagefind.options({ ranking: { metaWeights: ${JSON.stringify(metaWeights)} } });
    const found = [];
    for (const term of ${JSON.stringify(terms)}) {
      const { results: [first] } = await pagefind.search(term);
      const { url, sub_results } = (await first?.data()) ?? { url: "nothing", sub_results: [] };
      found.push([url, ...sub_results.map((below) => below.url)].map((one) => new URL(one, location.href).href));
    }
    return found;
  })()`);

/** The terms that lead to another page than the expected one. */
async function wrongFirstResults(
  expected: readonly (readonly [term: string, path: string])[],
): Promise<string[]> {
  const found = await resultsOf(expected.map(([term]) => term));
  return expected.flatMap(([term, path], index) =>
    found[index]?.[0]?.replace(/#.*/, "") === urlOf(path) ? [] : [`${term}: ${found[index]?.[0]}`],
  );
}

test("every page with synonyms exists", () => {
  expect(Object.keys(synonyms).filter((path) => !paths.includes(path))).toEqual([]);
});

test("a phrase for a requirement finds it below the page of the phrase", async () => {
  for (const [id, phrases] of Object.entries(requirementPhrases))
    for (const phrase of phrases) {
      const second = await page.evaluate<string>(`(async () => {
        const { search } = await import("${siteUrl}pagefind/pagefind.js");
        const { results } = await search("${phrase.toUpperCase()}");
        return new URL((await results[1].data()).url, location.href).href;
      })()`);
      expect(second, phrase).toBe(`${siteUrl}requirements/#${id}`);
    }
});

test("the first result for every synonym is its page", async () => {
  const pairs = Object.entries(synonyms).flatMap(([path, words]) =>
    words.map((word) => [word, path] as const),
  );
  expect(await wrongFirstResults(pairs)).toEqual([]);
});

test("the first result for the id, the summary, or method and path of an operation is its page", async () => {
  const pairs = operationsOf(await readBundle()).flatMap(({ id, method, path, operation }) =>
    [id, operation.summary, `${method.toUpperCase()} ${path}`].map(
      (term) => [term, operationPath(id)] as const,
    ),
  );
  expect(await wrongFirstResults(pairs)).toEqual([]);
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
  for (const [term, [first, second]] of Object.entries(expected)) {
    const found = await page.evaluate<string[]>(`(async () => {
      const { search } = await import("${siteUrl}pagefind/pagefind.js");
      const { results } = await search("${term}");
      const shown = await Promise.all(results.slice(0, 2).map((result) => result.data()));
      return shown.map(({ url }) => new URL(url, location.href).href);
    })()`);
    expect(found[0], term).toBe(`${siteUrl}${first}`);
    if (second !== undefined) expect(found[1], term).toBe(`${siteUrl}${second}`);
  }
  const rows = await page.evaluate<string[]>(
    `import("${siteUrl}pagefind/pagefind.js").then(async ({ search }) =>
      (await Promise.all((await search("52 recipients")).results.slice(0, 5).map((one) => one.data())))
        .flatMap(({ sub_results }) => sub_results.map(({ url }) => url)))`,
  );
  expect(rows.filter((url) => /#50\d/.test(url))).toEqual([]);
});

test("operations and errors come first", async () => {
  const pairs = [
    ["POST /emails", "operations/send-email"],
    ["POST /emails/batch", "operations/send-batch"],
    ["DELETE /emails/{id}", "operations/cancel-email"],
    ["template_id", "operations/send-email"],
    ["429", "errors"],
    ["503", "errors"],
    ["rate limited", "errors"],
  ] as const;
  expect(await wrongFirstResults(pairs)).toEqual([]);
});

test("the first result for the title of a page is the page", async () => {
  const pairs = [
    ["limits", "limits"],
    ["limit", "limits"],
    ["Errors", "errors"],
    ["idempotency", "idempotency"],
    ["versioning", "versioning"],
    ["requirements", "requirements"],
  ] as const;
  expect(await wrongFirstResults(pairs)).toEqual([]);
});

test("what a reader wants to do leads to its operation", async () => {
  const pairs = [
    ["scheduled mail", "operations/send-email"],
    ["schedule a mail", "operations/send-email"],
    ["send a scheduled mail in Go", "operations/send-email"],
    ["cancel a scheduled mail", "operations/cancel-email"],
    ["scheduled mail cancel", "operations/cancel-email"],
    ["all or nothing", "operations/send-batch"],
    ["reschedule a mail", "operations/reschedule-email"],
    ["subscription", "objects/membership"],
  ] as const;
  expect(await wrongFirstResults(pairs)).toEqual([]);
});

test("the first result for a parameter or property of a request is an operation", async () => {
  const terms = ["Idempotency-Key", "scheduled_at", "list_id", "custom_fields", "subject"];
  for (const [index, [first]] of (await resultsOf(terms)).entries())
    expect(first, terms[index]).toContain(`${siteUrl}operations/`);
});

test("the first result for an error type leads to a row of that type", async () => {
  const types = Map.groupBy((await readBundle())["x-errors"], ({ type }) => type ?? "");
  types.delete("");
  const found = await resultsOf([...types.keys()]);
  const others = [...types].flatMap(([type, rows], index) => {
    const urls = rows.map(({ id }) => `${urlOf("errors")}#${id.replaceAll(".", "-")}`);
    return found[index]?.[0] === urlOf("errors") && urls.some((url) => found[index]?.includes(url))
      ? []
      : [`${type}: ${found[index]}`];
  });
  expect(others).toEqual([]);
});

test("a word that no page has finds nothing, and beside another word is ignored", async () => {
  const countOf = (term: string): Promise<number> =>
    page.evaluate<number>(
      `import("${siteUrl}pagefind/pagefind.js").then(async ({ search }) => (await search("${term}")).results.length)`,
    );
  for (const term of ["xyzzyq", "emial", "xyzzyq qqq"]) expect(await countOf(term), term).toBe(0);
  for (const term of ["try", "schedul", "suppressionlists"])
    expect(await countOf(term), term).toBeGreaterThan(0);
  expect(await countOf("xyzzyq reschedule")).toBe(await countOf("reschedule"));
});

test("the search field has the same ranking, does not show what it finds a page by, and says that it finds nothing", async () => {
  const input = page.locator("#starlight__search input");
  // Starlight loads the search when the browser is idle; a headless one may not be idle until the mouse moves.
  for (let row = 1; (await input.count()) === 0; row += 1) await page.mouse.move(10, row);
  const hint = `getComputedStyle(document.querySelector("#starlight__search").closest("site-search").querySelector("button"), "::after").content`;
  expect(await page.evaluate(hint)).toBe('"Ctrl K"');
  await page.keyboard.press("Control+k");
  for (const [term, path] of [
    ["POST /emails", "operations/send-email"],
    ["unsubscribe link", "operations/unsubscribe-contact"],
  ] as const) {
    await input.fill(term);
    const message = page.locator("#starlight__search .pagefind-ui__message");
    await message.filter({ hasText: `for ${term}` }).waitFor();
    const first = page.locator("#starlight__search .pagefind-ui__result-link").first();
    expect(await first.evaluate((link) => String((link as { href?: string }).href))).toBe(urlOf(path));
  }
  expect(await page.locator(".pagefind-ui__result-tags").first().isVisible()).toBe(false);
  await input.fill("xyzzyq");
  await page.getByText("No results for xyzzyq").waitFor();
  expect(await page.locator("#starlight__search .pagefind-ui__result").count()).toBe(0);
});

const opened = inBrowser();
const document = await readBundle();

test("search finds the page of every field, error type, limit and operation", async () => {
  const fields = new Set(
    Object.values(document.components.schemas ?? {}).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    ),
  );
  const types = new Set(document["x-errors"].flatMap(({ type }) => type ?? []));
  const terms = [
    ...[...fields].map((term) => ({ term, page: "(operations|objects)/" })),
    ...[...types].map((term) => ({ term, page: "errors/" })),
    ...Object.keys(document["x-limits"]).map((term) => ({ term, page: "limits/" })),
    ...operationsOf(document).map(({ id }) => ({ term: id, page: `operations/${kebab(id)}/` })),
  ];
  const missing = await opened("", (page) =>
    page.evaluate<string[]>(`(async () => {
      const pagefind = await import("${siteUrl}pagefind/pagefind.js");
      const missing = [];
      for (const { term, page } of ${JSON.stringify(terms)}) {
        const { results } = await pagefind.search(term);
        const found = await Promise.all(results.slice(0, 10).map(async (result) => await result.data()));
        const wanted = new RegExp("^${new URL(siteUrl).pathname}" + page);
        const isFound = found.some(({ url, content }) => wanted.test(url) && content.includes(term));
        if (!isFound) missing.push(term);
      }
      return missing;
    })()`),
  );
  expect(terms.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

test("the search works with the keyboard", async () => {
  await opened("", async (page) => {
    // Starlight loads the search when the browser is idle; a headless one may not be idle until the mouse moves.
    let row = 0;
    await expect
      .poll(async () => {
        row += 1;
        await page.mouse.move(10, row);
        return page.locator("#starlight__search input").count();
      })
      .toBe(1);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("not_reschedulable");
    // After slow typing, the results of the first letters come first.
    await page
      .locator("#starlight__search .pagefind-ui__message", {
        hasText: /results? for not_reschedulable/,
      })
      .waitFor();
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
});

test("the arrow keys move from the search field through the results and back", async () => {
  await opened("", async (page) => {
    const input = page.locator("#starlight__search input");
    let row = 0;
    await expect
      .poll(async () => {
        row += 1;
        await page.mouse.move(10, row);
        return input.count();
      })
      .toBe(1);
    await page.keyboard.press("Control+k");
    await input.fill("suppressed");
    const links = page.locator("#starlight__search .pagefind-ui__result-link");
    await links.nth(1).waitFor();
    const isFocused = (one: typeof input) => one.evaluate((node) => node.matches(":focus"));
    await page.keyboard.press("ArrowUp");
    expect(await isFocused(input)).toBe(true);
    await page.keyboard.press("ArrowDown");
    expect(await isFocused(links.nth(0))).toBe(true);
    await page.keyboard.press("ArrowDown");
    expect(await isFocused(links.nth(1))).toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await isFocused(input)).toBe(true);
  });
});

test("the dialog of the search takes what is typed before its field is there", async () => {
  await opened("", async (page) => {
    // The field comes when the browser is idle, which it is here after the typing.
    await page.addInitScript("requestIdleCallback = (work) => setTimeout(work, 1500)");
    await page.reload();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("suppressed");
    const input = page.locator("#starlight__search input");
    expect(await input.count()).toBe(0);
    await expect.poll(() => input.inputValue()).toBe("suppressed");
    expect(await input.evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.locator("#starlight__search .pagefind-ui__message", { hasText: "for suppressed" }).waitFor();
  });
});
