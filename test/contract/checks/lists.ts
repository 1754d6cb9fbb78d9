import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, bodyOf } from "../support/assertions.ts";
import { contactWithDetails } from "../support/contact-scenarios.ts";
import { listId } from "../support/contacts.ts";
import { entriesOf, everyEntry, isString, readOnce } from "../support/lists.ts";

export const lists: Check[] = [
  check("LIST-1", "only the lists of the account are listed", [
    testCase("an array", { core: true }, async (tester) =>
      entriesOf(await readOnce(tester, "lists"), "lists"),
    ),
    ...(["plain", "second", "doubleOptIn"] as const).map((name) =>
      testCase(`list ${name}`, { core: true, needs: [`lists.${name}`] as const }, async (tester: Tester) => {
        const exchange = await readOnce(tester, "lists");
        const id = listId(tester, name);
        const found = entriesOf(exchange, "lists").filter((list) => list.id === id);
        assertEqual(exchange, `number of entries for list ${id}`, found.length, 1);
      }),
    ),
    testCase("no list of another account", { core: true, needs: ["lists.otherAccount"] }, async (tester) => {
      const exchange = await readOnce(tester, "lists");
      const id = listId(tester, "otherAccount");
      const isThere = entriesOf(exchange, "lists").some((list) => list.id === id);
      assert(!isThere, exchange, { expected: `no list ${id}`, found: "the list of another account" });
    }),
  ]),
  check("LIST-2", "a list has an integer id", everyEntry("lists", "id", Number.isInteger)),
  check(
    "LIST-2",
    "contacts are added by list id",
    async (tester) => {
      const { list, added } = await contactWithDetails(tester);
      assertEqual(added, "list_id", bodyOf(added).list_id, list);
    },
    { needs: ["lists.plain"] },
  ),
  check("LIST-3", "a list has a name", everyEntry("lists", "name", isString)),
  check(
    "LIST-4",
    "a list has double_opt_in",
    (["plain", "doubleOptIn"] as const).map((name) =>
      testCase(name, { core: true, needs: [`lists.${name}`] as const }, async (tester) => {
        const exchange = await readOnce(tester, "lists");
        const list = entriesOf(exchange, "lists").find(({ id }) => id === listId(tester, name));
        assertEqual(exchange, `double_opt_in of ${name}`, list?.double_opt_in, name === "doubleOptIn");
      }),
    ),
  ),
];
