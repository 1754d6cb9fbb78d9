import { limits } from "../../generated/limits.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, notInCore, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, assertError, bodyOf, format, requestOk } from "../support/assertions.ts";
import { contactWithDetails, pendingContact, unsubscribedFromOne } from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  listId,
  membership,
  needsList,
  needsTwoLists,
  newContact,
  unknownListId,
  unsubscribe,
  upsert,
} from "../support/contacts.ts";

/** Asserts that a response is the membership of this contact on this list. */
function assertMembershipOf(exchange: Exchange, email: string, list: number): void {
  const { list_id, email: found } = bodyOf(exchange);
  assertEqual(exchange, "list_id", list_id, list);
  assertEqual(exchange, "email", found, email);
}

const tagsOf = (found: unknown): unknown[] => (Array.isArray(found) ? found : []);

/** Asserts that these tags are present. */
function assertTags(exchange: Exchange, found: unknown, tags: readonly string[]): void {
  const lost = tags.filter((tag) => !tagsOf(found).includes(tag));
  assert(lost.length === 0, exchange, {
    expected: `tags including ${tags.join(", ")}`,
    found: format(found),
  });
}

/** A contact for a list that the account does not have is rejected. */
async function assertListNotFound(tester: Tester, list: number): Promise<void> {
  const email = newContact(tester);
  const exchange = await tester.request("upsertContact", { body: { email, list_id: list } });
  assertError(exchange, 404, "not_found", "list_id");
}

export const contacts: Check[] = [
  check("CONT-1", "an email address that is new to a list is added with 201", [
    testCase("a new contact", { core: true, needs: needsList }, async (tester) => {
      const { added } = await contactWithDetails(tester);
      assertEqual(added, "status", added.status, 201);
    }),
    testCase("a contact of another list", { core: true, needs: needsTwoLists }, async (tester) => {
      const { addedToOther, other, email } = await unsubscribedFromOne(tester);
      assertEqual(addedToOther, "status", addedToOther.status, 201);
      assertMembershipOf(addedToOther, email, other);
    }),
    testCase(
      "a contact unsubscribed from another list",
      { core: false, needs: needsTwoLists },
      async (tester) => {
        const email = await addContact(tester);
        await unsubscribe(tester, email, listId(tester, "plain"));
        const added = await upsert(tester, email, listId(tester, "second"));
        assertEqual(added, "status", added.status, 201);
        assertMembershipStatus(added, "subscribed");
      },
    ),
    testCase("a list with double opt-in", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { added } = await pendingContact(tester);
      assertEqual(added, "status", added.status, 201);
    }),
  ]),
  check("CONT-2", "an email address already on the list is updated with 200", [
    testCase("a subscribed contact", { core: true, needs: needsList }, async (tester) => {
      const { updated } = await contactWithDetails(tester);
      assertEqual(updated, "status", updated.status, 200);
    }),
    testCase("a pending contact", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { updated } = await pendingContact(tester);
      assertEqual(updated, "status", updated.status, 200);
    }),
    testCase("an unsubscribed contact", { core: true, needs: needsTwoLists }, async (tester) => {
      const { readded } = await unsubscribedFromOne(tester);
      assertEqual(readded, "status", readded.status, 200);
    }),
  ]),
  check(
    "CONT-3",
    "the response to an upsert is the membership on the list",
    async (tester) => {
      const { added, updated, email, list } = await contactWithDetails(tester);
      assertMembershipOf(added, email, list);
      assertMembershipOf(updated, email, list);
    },
    { needs: needsList },
  ),
  check("CONT-4", "a contact added through the API is treated like one from the signup form", [
    testCase(
      "it is pending on a list with double opt-in",
      { core: true, needs: ["lists.doubleOptIn"] },
      async (tester) => assertMembershipStatus((await pendingContact(tester)).added, "pending"),
    ),
    testCase("it stays unsubscribed", { core: true, needs: needsTwoLists }, async (tester) =>
      assertMembershipStatus((await unsubscribedFromOne(tester)).readded, "unsubscribed"),
    ),
  ]),
  check("CONT-7", "a list that the account does not have is rejected with 404 not_found", [
    testCase("a list of another account", { core: true, needs: ["lists.otherAccount"] }, async (tester) =>
      assertListNotFound(tester, listId(tester, "otherAccount")),
    ),
    testCase("a nonexistent list", async (tester) => assertListNotFound(tester, unknownListId(tester))),
  ]),
  ...withNeeds(needsList, [
    check("CONT-16", "tags are added to the existing ones", [
      testCase("in the response", { core: true }, async (tester) => {
        const { updated, first, second } = await contactWithDetails(tester);
        assertTags(updated, bodyOf(updated).tags, [...first.tags, ...second.tags]);
      }),
      testCase("in the contact record", { core: true }, async (tester) => {
        const { found, list, first, second } = await contactWithDetails(tester);
        assertTags(found, membership(found, list).tags, [...first.tags, ...second.tags]);
      }),
      ...[
        { title: "an empty list of tags removes none", details: { tags: [] } },
        { title: "an update without tags removes none", details: { last_name: "King" } },
      ].map(({ title, details }) =>
        testCase(title, async (tester: Tester) => {
          const email = newContact(tester);
          const body = { email, list_id: listId(tester, "plain") };
          await requestOk(tester, "upsertContact", { body: { ...body, tags: ["contract-bread"] } });
          const exchange = await requestOk(tester, "upsertContact", { body: { ...body, ...details } });
          assertTags(exchange, bodyOf(exchange).tags, ["contract-bread"]);
        }),
      ),
    ]),
    ...(
      [
        ["CONT-8", "first_name"],
        ["CONT-9", "last_name"],
      ] as const
    ).map(([id, name]) =>
      check(
        id,
        `the length of ${name} is counted in characters, not bytes`,
        notInCore(async (tester) => {
          const body = { email: newContact(tester), list_id: listId(tester, "plain") };
          const value = "é".repeat(limits.contactNameLength);
          const exchange = await requestOk(tester, "upsertContact", { body: { ...body, [name]: value } });
          assertEqual(exchange, name, bodyOf(exchange)[name], value);
        }),
      ),
    ),
    check(
      "CONT-15",
      "the length of a tag is counted in characters, not bytes",
      notInCore(async (tester) => {
        const tags = ["é".repeat(limits.contactTagLength)];
        const body = { email: newContact(tester), list_id: listId(tester, "plain"), tags };
        const exchange = await requestOk(tester, "upsertContact", { body });
        assertTags(exchange, bodyOf(exchange).tags, tags);
      }),
    ),
  ]),
];
