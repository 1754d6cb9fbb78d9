import { limits } from "../../generated/limits.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { isSuccess } from "../exchange.ts";
import { assertClientError, format } from "../support/assertions.ts";
import {
  everyItem,
  firstTwo,
  hasMore,
  itemsOf,
  nextCursor,
  pagesOf,
  plainPage,
  requestPage,
} from "../support/pages.ts";

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
    check(
      ["PAGE-2", "PAGE-3", "PAGE-5"],
      "all pages together have each item of the list once",
      async (tester) => {
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
      },
    ),
  ],
);
