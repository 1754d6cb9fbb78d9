import { limits } from "../../generated/limits.ts";
import { AssertionFailure, assert, configured, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, pathOf } from "../exchange.ts";
import { assertClientError, bodyOf, format } from "../support/assertions.ts";

/** The response to a request for a page, whatever it is. */
function requestPage(tester: Tester, query: { limit?: number; cursor?: string } = {}): Promise<Exchange> {
  const { path } = configured(tester.settings.fixtures.pages, "pages");
  return tester.rawRequest({ method: "GET", path: pathOf(path, {}, { ...query }) });
}

/**
 * The response to a request for the list without parameters, sent once per run.
 * @throws NotVerified if the configured path is no list that the key may read
 */
const plainPage = (tester: Tester): Promise<Exchange> =>
  tester.once("a page of a list", async (own) => {
    const exchange = await requestPage(own);
    if (isSuccess(exchange)) return exchange;
    throw new NotVerified(
      `pages.path is no list that the key full may read: GET ${exchange.request.path} returned ${exchange.status}.`,
    );
  });

/** The first pages of this size, at most so many, requested once per run. */
const pagesOf = (tester: Tester, limit: number, most: number): Promise<Exchange[]> =>
  tester.once(`${most} pages of ${limit} items`, async (own) => {
    await plainPage(own);
    const pages = [accepted(await requestPage(own, { limit }), "PAGE-4")];
    for (let last = pages[0]; last !== undefined && pages.length < most && hasMore(last); last = pages.at(-1))
      pages.push(next(accepted(await requestPage(own, { limit, cursor: nextCursor(last) }), "PAGE-5")));
    const large = pages.find((page) => itemsOf(page).length > limit);
    if (large === undefined) return pages;
    throw violated("PAGE-4", large, `at most ${limit} items`, `${itemsOf(large).length} items`);
  });

/** The first two pages of one item each. */
async function firstTwo(tester: Tester): Promise<[Exchange, Exchange]> {
  const [first, second] = await pagesOf(tester, 1, 2);
  if (first !== undefined && second !== undefined) return [first, second];
  throw new NotVerified("The list at pages.path has fewer than two items.");
}

/** A page violates this requirement, whichever check has requested it. */
const violated = (id: string, page: Exchange, expected: string, found: string): AssertionFailure =>
  new AssertionFailure(page, { expected, found }, [id]);

function itemsOf(page: Exchange): unknown[] {
  const { data } = bodyOf(page);
  if (Array.isArray(data)) return data as unknown[];
  throw violated("PAGE-1", page, "an array in data", format(data));
}

function hasMore(page: Exchange): boolean {
  const { has_more } = bodyOf(page);
  if (typeof has_more === "boolean") return has_more;
  throw violated("PAGE-2", page, "a boolean in has_more", format(has_more));
}

function nextCursor(page: Exchange): string {
  const { next_cursor } = bodyOf(page);
  if (typeof next_cursor === "string") return next_cursor;
  throw violated("PAGE-3", page, "a string in next_cursor, since has_more is true", format(next_cursor));
}

const mostPages = 4;

async function everyItem(tester: Tester): Promise<unknown[]> {
  const pages = await pagesOf(tester, limits.pageSize, mostPages);
  const last = pages.at(-1);
  if (last !== undefined && hasMore(last))
    throw new NotVerified(`The list at pages.path has more than ${mostPages * limits.pageSize} items.`);
  const items = pages.flatMap(itemsOf);
  if (items.length >= 2) return items;
  throw new NotVerified("The list at pages.path has fewer than two items.");
}

function accepted(page: Exchange, id: string): Exchange {
  if (isSuccess(page)) return page;
  throw violated(id, page, "a page", `status ${page.status}`);
}

/** A page after one that states that more items follow. */
function next(page: Exchange): Exchange {
  if (itemsOf(page).length > 0) return page;
  throw violated("PAGE-2", page, "more items, since has_more was true", "an empty page");
}

/** Pages that the list is read in, whatever its size. */
const parts = 3;

/** @throws NotVerified if others changed the list */
async function assertUnchanged(tester: Tester, before: number): Promise<void> {
  const now = itemsOf(await requestPage(tester, { limit: limits.pageSize })).length;
  if (now !== Math.min(before, limits.pageSize)) throw new NotVerified("The list at pages.path changed.");
}

export const pages: Check[] = withNeeds(
  ["pages"],
  [
    check("PAGE-1", "a page has an array of items", async (tester) => itemsOf(await plainPage(tester))),
    check("PAGE-2", "a page states whether more items follow", async (tester) =>
      hasMore(await plainPage(tester)),
    ),
    check("PAGE-3", "a page that others follow has a cursor", async (tester) =>
      nextCursor((await firstTwo(tester))[0]),
    ),
    check("PAGE-4", "the limit sets the number of items of a page", [
      testCase("1", { core: true }, async (tester) => {
        const [page] = await firstTwo(tester);
        const { length } = itemsOf(page);
        assert(length === 1, page, { expected: "1 item", found: `${length} items` });
      }),
      testCase("one more than a page can have", { core: false }, async (tester) => {
        await plainPage(tester);
        const page = await requestPage(tester, { limit: limits.pageSize + 1 });
        // Whether it is rejected is unspecified.
        if (!isSuccess(page)) return assertClientError(page);
        const { length } = itemsOf(page);
        assert(length <= limits.pageSize, page, {
          expected: `at most ${limits.pageSize} items, or a rejection`,
          found: `${length} items`,
        });
      }),
    ]),
    check("PAGE-5", "the cursor of a page leads to the next one", async (tester) => {
      const [first, second] = await firstTwo(tester);
      const [one, other] = [itemsOf(first), itemsOf(second)].map((items) => JSON.stringify(items));
      assert(one !== other, second, { expected: "other items than before", found: format(itemsOf(second)) });
    }),
    check(["PAGE-2", "PAGE-3", "PAGE-5"], "all pages together have each item once", async (tester) => {
      const { length } = await everyItem(tester);
      const limit = Math.min(limits.pageSize, Math.ceil(length / parts));
      const all = await pagesOf(tester, limit, Math.ceil(length / limit) + 1);
      const found = all.flatMap(itemsOf).length;
      const last = all.at(-1);
      if (found === length && last !== undefined && !hasMore(last)) return;
      await assertUnchanged(tester, length);
      assert(false, last, {
        expected: `${length} items, has_more false with the last of them`,
        found: `${found} items in ${all.length} pages of at most ${limit}, then has_more ${last && hasMore(last)}`,
      });
    }),
  ],
);
