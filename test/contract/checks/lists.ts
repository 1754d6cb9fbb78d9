import { assert } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { detailed } from "./contact-lives.ts";
import { assertEqual, bodyOf } from "./kit.ts";
import { listOf } from "./newsletter.ts";
import { each, entriesIn, isText, once } from "./readings.ts";

export const lists: Check[] = [
  check("LIST-1", "the lists of the account are given, and those of no other", [
    {
      title: "in an array",
      core: true,
      run: async (tester) => entriesIn(await once(tester, "lists"), "lists"),
    },
    ...(["plain", "second", "doubleOptIn"] as const).map((name) => ({
      title: `the list ${name}`,
      core: true,
      needs: [`lists.${name}`] as const,
      run: async (tester: Tester) => {
        const exchange = await once(tester, "lists");
        const id = listOf(tester, name);
        const found = entriesIn(exchange, "lists").filter((list) => list.id === id);
        assertEqual(exchange, `number of entries for list ${id}`, found.length, 1);
      },
    })),
    {
      title: "none of another account",
      core: true,
      needs: ["lists.otherAccount"],
      run: async (tester) => {
        const exchange = await once(tester, "lists");
        const id = listOf(tester, "otherAccount");
        const isThere = entriesIn(exchange, "lists").some((list) => list.id === id);
        assert(!isThere, exchange, { expected: `no list ${id}`, found: "that list of another account" });
      },
    },
  ]),
  check("LIST-2", "a list has a whole number as its id", each("lists", "id", Number.isInteger)),
  check(
    "LIST-2",
    "contacts are added by the id of a list",
    async (tester) => {
      const { list, added } = await detailed(tester);
      assertEqual(added, "list_id", bodyOf(added).list_id, list);
    },
    { needs: ["lists.plain"] },
  ),
  check("LIST-3", "a list has a name", each("lists", "name", isText)),
  check(
    "LIST-4",
    "a list says whether a new subscriber has to confirm",
    (["plain", "doubleOptIn"] as const).map((name) => ({
      title: name,
      core: true,
      needs: [`lists.${name}`] as const,
      run: async (tester) => {
        const exchange = await once(tester, "lists");
        const list = entriesIn(exchange, "lists").find(({ id }) => id === listOf(tester, name));
        assertEqual(exchange, `double_opt_in of ${name}`, list?.double_opt_in, name === "doubleOptIn");
      },
    })),
  ),
];
