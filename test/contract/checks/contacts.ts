import { limits } from "../../../generated/limits.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { detailed, leftOne, pending } from "./contact-lives.ts";
import { addContact, assertEqual, assertError, bodyOf, format, newContact, requestOk } from "./kit.ts";
import { hasStatus, leave, listOf, membership, noList, post } from "./newsletter.ts";

const needs = ["lists.plain"] as const;

/** An answer is the membership of one contact on one list. */
function isOf(exchange: Exchange, email: string, list: number): void {
  const { list_id, email: found } = bodyOf(exchange);
  assertEqual(exchange, "list_id", list_id, list);
  assertEqual(exchange, "email", found, email);
}

const tagsIn = (found: unknown): unknown[] => (Array.isArray(found) ? found : []);

/** The contact has these tags at least. */
function hasTags(exchange: Exchange, found: unknown, tags: readonly string[]): void {
  const lost = tags.filter((tag) => !tagsIn(found).includes(tag));
  assert(lost.length === 0, exchange, { expected: `tags with ${tags.join(", ")}`, found: format(found) });
}

/** A post that names a list the account does not have is refused, and adds nobody. */
async function isUnknown(tester: Tester, list: number): Promise<void> {
  const email = newContact(tester);
  assertError(await tester.request("upsertContact", { body: { email, list_id: list } }), 404, "not_found");
}

export const contacts: Check[] = [
  check("CONT-1", "an address that is new on a list is added to it with 201", [
    {
      title: "a new contact",
      core: true,
      needs,
      run: async (tester) => {
        const { added } = await detailed(tester);
        assertEqual(added, "status", added.status, 201);
      },
    },
    {
      title: "a contact of another list",
      core: true,
      needs: ["lists.plain", "lists.second"],
      run: async (tester) => {
        const { addedToOther, other, email } = await leftOne(tester);
        assertEqual(addedToOther, "status", addedToOther.status, 201);
        isOf(addedToOther, email, other);
      },
    },
    {
      title: "a contact that left another list",
      core: false,
      needs: ["lists.plain", "lists.second"],
      run: async (tester) => {
        const email = await addContact(tester);
        await leave(tester, email, listOf(tester, "plain"));
        const added = await post(tester, email, listOf(tester, "second"));
        assertEqual(added, "status", added.status, 201);
        hasStatus(added, "subscribed");
      },
    },
    {
      title: "on a list with double opt-in",
      core: true,
      needs: ["lists.doubleOptIn"],
      run: async (tester) => {
        const { added } = await pending(tester);
        assertEqual(added, "status", added.status, 201);
      },
    },
  ]),
  check("CONT-2", "an address that is on the list already is updated with 200", [
    {
      title: "a subscriber",
      core: true,
      needs,
      run: async (tester) => {
        const { updated } = await detailed(tester);
        assertEqual(updated, "status", updated.status, 200);
      },
    },
    {
      title: "one who has yet to confirm",
      core: true,
      needs: ["lists.doubleOptIn"],
      run: async (tester) => {
        const { updated } = await pending(tester);
        assertEqual(updated, "status", updated.status, 200);
      },
    },
    {
      title: "one who left",
      core: true,
      needs: ["lists.plain", "lists.second"],
      run: async (tester) => {
        const { again } = await leftOne(tester);
        assertEqual(again, "status", again.status, 200);
      },
    },
  ]),
  check(
    "CONT-3",
    "the answer to a post is the membership of the list",
    async (tester) => {
      const { added, updated, email, list } = await detailed(tester);
      isOf(added, email, list);
      isOf(updated, email, list);
    },
    { needs },
  ),
  check("CONT-4", "a contact added through the API is treated like one of the signup form", [
    {
      title: "it confirms where the list asks for it",
      core: true,
      needs: ["lists.doubleOptIn"],
      run: async (tester) => hasStatus((await pending(tester)).added, "pending"),
    },
    {
      title: "it stays away once it left",
      core: true,
      needs: ["lists.plain", "lists.second"],
      run: async (tester) => hasStatus((await leftOne(tester)).again, "unsubscribed"),
    },
  ]),
  check("CONT-7", "a list that this account does not have is not found", [
    {
      title: "a list of another account",
      core: true,
      needs: ["lists.otherAccount"],
      run: async (tester) => isUnknown(tester, listOf(tester, "otherAccount")),
    },
    { title: "no list at all", run: async (tester) => isUnknown(tester, noList(tester)) },
  ]),
  check(
    "CONT-16",
    "tags are added to those that a contact has",
    [
      {
        title: "in the answer",
        core: true,
        run: async (tester) => {
          const { updated, first, second } = await detailed(tester);
          hasTags(updated, bodyOf(updated).tags, [...first.tags, ...second.tags]);
        },
      },
      {
        title: "looked up",
        core: true,
        run: async (tester) => {
          const { found, list, first, second } = await detailed(tester);
          hasTags(found, membership(found, list).tags, [...first.tags, ...second.tags]);
        },
      },
      ...[
        { title: "none are taken away by an empty list", details: { tags: [] } },
        { title: "none are taken away by a post without tags", details: { last_name: "King" } },
      ].map(({ title, details }) => ({
        title,
        run: async (tester: Tester) => {
          const email = newContact(tester);
          const body = { email, list_id: listOf(tester, "plain") };
          await requestOk(tester, "upsertContact", { body: { ...body, tags: ["contract-bread"] } });
          const exchange = await requestOk(tester, "upsertContact", { body: { ...body, ...details } });
          hasTags(exchange, bodyOf(exchange).tags, ["contract-bread"]);
        },
      })),
    ],
    { needs },
  ),
  ...(
    [
      ["CONT-8", "first_name"],
      ["CONT-9", "last_name"],
    ] as const
  ).map(([id, name]) =>
    check(
      id,
      `a ${name} is counted in characters, not in bytes`,
      [
        {
          title: "",
          core: false,
          run: async (tester) => {
            const body = { email: newContact(tester), list_id: listOf(tester, "plain") };
            const value = "é".repeat(limits.contactNameLength);
            const exchange = await requestOk(tester, "upsertContact", { body: { ...body, [name]: value } });
            assertEqual(exchange, name, bodyOf(exchange)[name], value);
          },
        },
      ],
      { needs },
    ),
  ),
  check(
    "CONT-15",
    "a tag is counted in characters, not in bytes",
    [
      {
        title: "",
        core: false,
        run: async (tester) => {
          const tags = ["é".repeat(limits.contactTagLength)];
          const body = { email: newContact(tester), list_id: listOf(tester, "plain"), tags };
          const exchange = await requestOk(tester, "upsertContact", { body });
          hasTags(exchange, bodyOf(exchange).tags, tags);
        },
      },
    ],
    { needs },
  ),
];
