import { limits } from "../../../generated/limits.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, assertError, bodyOf, format, requestOk } from "../support/assertions.ts";
import { contactWithDetails, leftOneList, pendingContact } from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  listId,
  membership,
  newContact,
  unknownListId,
  unsubscribe,
  upsert,
} from "../support/contacts.ts";

const needs = ["lists.plain"] as const;

/** An response is the membership of one contact on one list. */
function assertMembershipOf(exchange: Exchange, email: string, list: number): void {
  const { list_id, email: found } = bodyOf(exchange);
  assertEqual(exchange, "list_id", list_id, list);
  assertEqual(exchange, "email", found, email);
}

const tagsOf = (found: unknown): unknown[] => (Array.isArray(found) ? found : []);

/** The contact has these tags at least. */
function assertTags(exchange: Exchange, found: unknown, tags: readonly string[]): void {
  const lost = tags.filter((tag) => !tagsOf(found).includes(tag));
  assert(lost.length === 0, exchange, { expected: `tags with ${tags.join(", ")}`, found: format(found) });
}

/** A post that names a list the account does not have is refused, and adds nobody. */
async function assertListNotFound(tester: Tester, list: number): Promise<void> {
  const email = newContact(tester);
  assertError(await tester.request("upsertContact", { body: { email, list_id: list } }), 404, "not_found");
}

export const contacts: Check[] = [
  check("CONT-1", "an address that is new on a list is added to it with 201", [
    testCase("a new contact", { core: true, needs }, async (tester) => {
      const { added } = await contactWithDetails(tester);
      assertEqual(added, "status", added.status, 201);
    }),
    testCase(
      "a contact of another list",
      { core: true, needs: ["lists.plain", "lists.second"] },
      async (tester) => {
        const { addedToOther, other, email } = await leftOneList(tester);
        assertEqual(addedToOther, "status", addedToOther.status, 201);
        assertMembershipOf(addedToOther, email, other);
      },
    ),
    testCase(
      "a contact that left another list",
      { core: false, needs: ["lists.plain", "lists.second"] },
      async (tester) => {
        const email = await addContact(tester);
        await unsubscribe(tester, email, listId(tester, "plain"));
        const added = await upsert(tester, email, listId(tester, "second"));
        assertEqual(added, "status", added.status, 201);
        assertMembershipStatus(added, "subscribed");
      },
    ),
    testCase("on a list with double opt-in", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { added } = await pendingContact(tester);
      assertEqual(added, "status", added.status, 201);
    }),
  ]),
  check("CONT-2", "an address that is on the list already is updated with 200", [
    testCase("a subscriber", { core: true, needs }, async (tester) => {
      const { updated } = await contactWithDetails(tester);
      assertEqual(updated, "status", updated.status, 200);
    }),
    testCase("one who has yet to confirm", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { updated } = await pendingContact(tester);
      assertEqual(updated, "status", updated.status, 200);
    }),
    testCase("one who left", { core: true, needs: ["lists.plain", "lists.second"] }, async (tester) => {
      const { again } = await leftOneList(tester);
      assertEqual(again, "status", again.status, 200);
    }),
  ]),
  check(
    "CONT-3",
    "the answer to a post is the membership of the list",
    async (tester) => {
      const { added, updated, email, list } = await contactWithDetails(tester);
      assertMembershipOf(added, email, list);
      assertMembershipOf(updated, email, list);
    },
    { needs },
  ),
  check("CONT-4", "a contact added through the API is treated like one of the signup form", [
    testCase(
      "it confirms where the list asks for it",
      { core: true, needs: ["lists.doubleOptIn"] },
      async (tester) => assertMembershipStatus((await pendingContact(tester)).added, "pending"),
    ),
    testCase(
      "it stays away once it left",
      { core: true, needs: ["lists.plain", "lists.second"] },
      async (tester) => assertMembershipStatus((await leftOneList(tester)).again, "unsubscribed"),
    ),
  ]),
  check("CONT-7", "a list that this account does not have is not found", [
    testCase("a list of another account", { core: true, needs: ["lists.otherAccount"] }, async (tester) =>
      assertListNotFound(tester, listId(tester, "otherAccount")),
    ),
    testCase("no list at all", async (tester) => assertListNotFound(tester, unknownListId(tester))),
  ]),
  check(
    "CONT-16",
    "tags are added to those that a contact has",
    [
      testCase("in the answer", { core: true }, async (tester) => {
        const { updated, first, second } = await contactWithDetails(tester);
        assertTags(updated, bodyOf(updated).tags, [...first.tags, ...second.tags]);
      }),
      testCase("looked up", { core: true }, async (tester) => {
        const { found, list, first, second } = await contactWithDetails(tester);
        assertTags(found, membership(found, list).tags, [...first.tags, ...second.tags]);
      }),
      ...[
        { title: "none are taken away by an empty list", details: { tags: [] } },
        { title: "none are taken away by a post without tags", details: { last_name: "King" } },
      ].map(({ title, details }) =>
        testCase(title, async (tester: Tester) => {
          const email = newContact(tester);
          const body = { email, list_id: listId(tester, "plain") };
          await requestOk(tester, "upsertContact", { body: { ...body, tags: ["contract-bread"] } });
          const exchange = await requestOk(tester, "upsertContact", { body: { ...body, ...details } });
          assertTags(exchange, bodyOf(exchange).tags, ["contract-bread"]);
        }),
      ),
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
        testCase("", { core: false }, async (tester) => {
          const body = { email: newContact(tester), list_id: listId(tester, "plain") };
          const value = "é".repeat(limits.contactNameLength);
          const exchange = await requestOk(tester, "upsertContact", { body: { ...body, [name]: value } });
          assertEqual(exchange, name, bodyOf(exchange)[name], value);
        }),
      ],
      { needs },
    ),
  ),
  check(
    "CONT-15",
    "a tag is counted in characters, not in bytes",
    [
      testCase("", { core: false }, async (tester) => {
        const tags = ["é".repeat(limits.contactTagLength)];
        const body = { email: newContact(tester), list_id: listId(tester, "plain"), tags };
        const exchange = await requestOk(tester, "upsertContact", { body });
        assertTags(exchange, bodyOf(exchange).tags, tags);
      }),
    ],
    { needs },
  ),
];
