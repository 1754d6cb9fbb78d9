import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, assertError, bodyOf, format } from "../support/assertions.ts";
import {
  addContact,
  assertMembershipStatus,
  listId,
  type Membership,
  membership,
  needsList,
  needsOptInList,
  unsubscribedFromAll,
} from "../support/contacts.ts";
import {
  contactForListOfOther,
  contactOfTwoAccounts,
  contactsLeavingMain,
  detailsOf,
  needsContactsOfBoth,
  otherAccount,
  requestsForContactOfOther,
} from "../support/other-account.ts";

type Details = (typeof detailsOf)["main" | "other"];

const tagsOf = ({ tags }: Membership): unknown[] => (Array.isArray(tags) ? tags : []);

/** Asserts that a membership has none of these details. */
function assertWithout(exchange: Exchange, found: Membership, details: Details): void {
  for (const name of ["first_name", "last_name"] as const)
    assert(found[name] !== details[name], exchange, {
      expected: `no ${name} of another account`,
      found: format(found[name]),
    });
  assert(!details.tags.some((tag) => tagsOf(found).includes(tag)), exchange, {
    expected: "no tags of another account",
    found: format(found.tags),
  });
}

/** Asserts that a membership has the details of one account and none of the other's. */
function assertDetails(exchange: Exchange, found: Membership, whose: "main" | "other"): void {
  const { first_name, last_name, tags } = detailsOf[whose];
  assertEqual(exchange, "first_name", found.first_name, first_name);
  assertEqual(exchange, "last_name", found.last_name, last_name);
  assert(
    tags.every((tag) => tagsOf(found).includes(tag)),
    exchange,
    {
      expected: `tags including ${tags.join(", ")}`,
      found: format(found.tags),
    },
  );
  assertWithout(exchange, found, detailsOf[whose === "main" ? "other" : "main"]);
}

const listIdsOf = (exchange: Exchange): unknown[] =>
  (bodyOf(exchange).lists as Membership[]).map(({ list_id }) => list_id);

/** Contacts of the main account that are not subscribed: whether one exists is not visible either. */
const unsubscribedContacts = {
  "a pending contact": {
    needs: needsOptInList,
    emailOf: (tester: Tester) => addContact(tester, {}, listId(tester, "doubleOptIn")),
  },
  "a contact unsubscribed from everything": {
    needs: needsList,
    emailOf: async (tester: Tester) => (await unsubscribedFromAll(tester)).email,
  },
};

/** A contact has nothing in common with the one that another account has at the same email address. */
export const isolatedContacts: Check[] = [
  check(
    "AUTH-2",
    "a contact of several accounts is a separate contact of each",
    { needs: needsContactsOfBoth },
    [
      testCase("it is new to the second account", async (tester) => {
        const { added, otherList, text } = await contactOfTwoAccounts(tester);
        assertEqual(added, "status", added.status, 201);
        assertMembershipStatus(added, "subscribed");
        assertEqual(added, "list_id", bodyOf(added).list_id, otherList);
        assertWithout(added, bodyOf(added), detailsOf.main);
        const { [text ?? ""]: value } = (bodyOf(added).fields ?? {}) as Record<string, unknown>;
        assert(value !== "Leeds", added, { expected: "no value of another account", found: format(value) });
      }),
      testCase("each account has its own details", async (tester) => {
        const { updated, between, list } = await contactOfTwoAccounts(tester);
        assertDetails(updated, bodyOf(updated), "other");
        assertDetails(between, membership(between, list), "main");
        assertEqual(between, "lists", listIdsOf(between), [list]);
      }),
      testCase("unsubscribing from the second account", async (tester) => {
        const { found, list } = await contactOfTwoAccounts(tester);
        assertMembershipStatus(found, "subscribed", list);
        assertEqual(found, "marketing_blocked", bodyOf(found).marketing_blocked, false);
        assertEqual(found, "lists", listIdsOf(found), [list]);
      }),
      testCase("unsubscribing from the first account", async (tester) => {
        const { late, list } = await contactsLeavingMain(tester);
        assertMembershipStatus(late, "subscribed", list);
        assertEqual(late, "marketing_blocked", bodyOf(late).marketing_blocked, false);
        assertEqual(late, "lists", listIdsOf(late), [list]);
      }),
      testCase("unsubscribed from the first account before", async (tester) => {
        const { added, early, list } = await contactsLeavingMain(tester);
        assertMembershipStatus(added, "subscribed");
        assertMembershipStatus(early, "subscribed", list);
        assertEqual(early, "marketing_blocked", bodyOf(early).marketing_blocked, false);
      }),
    ].map((testCase) => ({ ...testCase, operation: "upsertContact" as const, core: false })),
  ),
  check(
    "AUTH-2",
    "a contact of another account is not found, and stays as it is",
    { needs: needsContactsOfBoth },
    (["getContact", "unsubscribeContact", "unsubscribeContact, from a list"] as const).map((title) => {
      const operation = title === "getContact" ? title : "unsubscribeContact";
      return testCase(title, { operation, core: false }, async (tester) => {
        const { responses, after, list } = await requestsForContactOfOther(tester);
        assertError(responses[title], 404, "not_found", "list_id");
        assertMembershipStatus(after, "subscribed", list);
      });
    }),
  ),
  check(
    "AUTH-2",
    "a contact of another account is not found, whatever its status",
    { needs: ["keys.otherAccount"] },
    Object.entries(unsubscribedContacts).map(([title, { needs, emailOf }]) =>
      testCase(title, { operation: "getContact", core: false, needs }, async (tester) => {
        const options = { key: otherAccount, path: { email: await emailOf(tester) } } as const;
        assertError(await tester.request("getContact", options), 404, "not_found");
      }),
    ),
  ),
  check(
    "CONT-7",
    "a contact rejected for a list of another account changes in neither account",
    { core: false, needs: needsContactsOfBoth },
    async (tester) => {
      const { response, after, atOther, list } = await contactForListOfOther(tester);
      assertError(response, 404, "not_found", "list_id");
      assertDetails(after, membership(after, list), "main");
      assertEqual(after, "lists", listIdsOf(after), [list]);
      assertError(atOther, 404, "not_found");
    },
  ),
  check(
    "UNSUB-12",
    "unsubscribing from a list of another account leaves its membership unchanged",
    { core: false, needs: needsContactsOfBoth },
    async (tester) => {
      const { rejected, afterRejection, otherList } = await contactOfTwoAccounts(tester);
      assertError(rejected, 404, "not_found", "list_id");
      assertMembershipStatus(afterRejection, "subscribed", otherList);
    },
  ),
];
