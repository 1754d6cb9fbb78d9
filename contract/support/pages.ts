import { limits } from "../../generated/limits.ts";
import { AssertionFailure, configured, NotVerified } from "../engine/assert.ts";
import { pathOf } from "../engine/path.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { bodyOf, format } from "./assertions.ts";

/** What a request for a page says. */
interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** The response to a request for a page, whatever it is. */
export function requestPage(tester: Tester, query: PageQuery = {}): Promise<Exchange> {
  const { path } = configured(tester.settings.fixtures.pages, "pages");
  return tester.rawRequest({ method: "GET", path: pathOf(path, {}, { ...query }) });
}

/**
 * The response to a request for the list without parameters, sent once per run.
 * @throws NotVerified if the configured path is no list that the key may read
 */
export const plainPage = (tester: Tester): Promise<Exchange> =>
  tester.once("a page of a list", async (own) => {
    const exchange = await requestPage(own);
    if (isSuccess(exchange)) return exchange;
    throw new NotVerified(
      `pages.path is no list that the key full may read: GET ${exchange.request.path} returned ${exchange.status}.`,
    );
  });

/** The first pages of this size, at most so many, requested once per run. */
export const pagesOf = (tester: Tester, limit: number, most: number): Promise<Exchange[]> =>
  tester.once(`${most} pages of ${limit} items`, async (own) => {
    await plainPage(own);
    const pages = [accepted(await requestPage(own, { limit }), "PAGE-4")];
    for (let last = pages[0]; last !== undefined && pages.length < most && hasMore(last); last = pages.at(-1))
      pages.push(next(accepted(await requestPage(own, { limit, cursor: nextCursor(last) }), "PAGE-5")));
    return pages;
  });

/** The first two pages of one item each. */
export async function firstTwo(tester: Tester): Promise<[Exchange, Exchange]> {
  const [first, second] = await pagesOf(tester, 1, 2);
  if (first !== undefined && second !== undefined) return [first, second];
  throw new NotVerified("The list at pages.path has fewer than two items.");
}

export function itemsOf(page: Exchange): unknown[] {
  const { data } = bodyOf(page);
  if (Array.isArray(data)) return data as unknown[];
  throw new AssertionFailure(page, { expected: "an array in data", found: format(data) }, ["PAGE-1"]);
}

export function hasMore(page: Exchange): boolean {
  const { has_more } = bodyOf(page);
  if (typeof has_more === "boolean") return has_more;
  throw new AssertionFailure(page, { expected: "a boolean in has_more", found: format(has_more) }, [
    "PAGE-2",
  ]);
}

/** The cursor in a page that is not the last. */
export function nextCursor(page: Exchange): string {
  const { next_cursor } = bodyOf(page);
  if (typeof next_cursor === "string") return next_cursor;
  const failure = { expected: "a string in next_cursor, since has_more is true", found: format(next_cursor) };
  throw new AssertionFailure(page, failure, ["PAGE-3"]);
}

const mostPages = 4;

/** The items of the whole list. */
export async function everyItem(tester: Tester): Promise<unknown[]> {
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
  throw new AssertionFailure(page, { expected: "a page", found: `status ${page.status}` }, [id]);
}

/** A page after one that states that more items follow. */
function next(page: Exchange): Exchange {
  if (itemsOf(page).length > 0) return page;
  const failure = { expected: "more items, since has_more was true", found: "an empty page" };
  throw new AssertionFailure(page, failure, ["PAGE-2"]);
}
