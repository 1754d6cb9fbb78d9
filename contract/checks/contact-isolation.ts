import type { OperationId } from "../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, caseOf, check, scenario, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertProperty,
  bodyOf,
  format,
  requestOk,
} from "../support/assertions.ts";
import {
  addContact,
  assertLists,
  assertMembershipStatus,
  listId,
  lookUpContact,
  type Membership,
  membership,
  needsList,
  needsOptInList,
  newContact,
  unsubscribe,
  unsubscribedFromAll,
} from "../support/contacts.ts";
import { plainListOf } from "../support/lists.ts";
import { casePerOperation, requestToReject } from "../support/requests.ts";

const key = "otherAccount";

const needs = [...needsList, "keys.otherAccount"] as const;

const addToOther = async (tester: Tester, email: string, details: object = {}): Promise<Exchange> =>
  requestOk(tester, "upsertContact", {
    key,
    body: { email, list_id: await plainListOf(tester, key), ...details },
  });

const lookUpAtOther = (tester: Tester, email: string): Promise<Exchange> =>
  requestOk(tester, "getContact", { key, path: { email } });

/** A request with the key of another account is rejected, since the account does not have what it is about. */
async function assertNotFound(tester: Tester, operation: OperationId): Promise<void> {
  const options = await requestToReject(tester, operation);
  assertError(await tester.request(operation, { ...options, key }), 404, "not_found", "list_id");
}

/** Requests of the main account for a contact that only the other account has, and the contact afterwards. */
const contactOfOther = scenario("requests for a contact of another account", needs, async (tester) => {
  const email = newContact(tester);
  await addToOther(tester, email);
  const path = { email };
  const leaveList = { path, body: { list_id: listId(tester, "plain") } };
  const responses = {
    getContact: await tester.request("getContact", { path }),
    unsubscribeContact: await tester.request("unsubscribeContact", { path, body: {} }),
    "unsubscribeContact, from a list": await tester.request("unsubscribeContact", leaveList),
  };
  return { responses, list: await plainListOf(tester, key), after: await lookUpAtOther(tester, email) };
});

/** What each account stores on a contact that both have. */
const detailsOf = {
  main: { first_name: "Ada", last_name: "Lovelace", tags: ["contract-bread"] },
  other: { first_name: "Grace", last_name: "Hopper", tags: ["contract-tea"] },
} as const;

/** A contact of the main account with details that is added to the other account without any; each then changes its own. */
const contactOfBoth = scenario("a contact of two accounts", needs, async (tester) => {
  const [list, otherList] = [listId(tester, "plain"), await plainListOf(tester, key)];
  const { text } = tester.settings.fixtures.fields ?? {};
  const fields = text === undefined ? {} : { fields: { [text]: "Leeds" } };
  const email = await addContact(tester, { ...detailsOf.main, ...fields });
  const added = await addToOther(tester, email);
  const updated = await addToOther(tester, email, detailsOf.other);
  const between = await lookUpContact(tester, email);
  const path = { email };
  const rejected = await tester.request("unsubscribeContact", { path, body: { list_id: otherList } });
  const afterRejection = await lookUpAtOther(tester, email);
  await requestOk(tester, "unsubscribeContact", { key, path, body: {} });
  const found = await lookUpContact(tester, email);
  return { list, otherList, text, added, updated, between, rejected, afterRejection, found };
});

/** Contacts that unsubscribe from the main account, before and after they are added to the other one. */
const contactsLeavingMain = scenario("contacts that leave one of two accounts", needs, async (tester) => {
  const list = await plainListOf(tester, key);
  const [early, late] = [await addContact(tester), await addContact(tester)];
  await unsubscribe(tester, early);
  const added = await addToOther(tester, early);
  await addToOther(tester, late);
  await unsubscribe(tester, late);
  return { list, added, early: await lookUpAtOther(tester, early), late: await lookUpAtOther(tester, late) };
});

/** A contact of the main account that is sent with other details for a list of the other account. */
const contactForListOfOther = scenario("a contact for a list of another account", needs, async (tester) => {
  const list_id = await plainListOf(tester, key);
  const email = await addContact(tester, detailsOf.main);
  return {
    list: listId(tester, "plain"),
    response: await tester.request("upsertContact", { body: { email, list_id, ...detailsOf.other } }),
    after: await lookUpContact(tester, email),
    atOther: await tester.request("getContact", { key, path: { email } }),
  };
});

/** Asserts that a membership has none of the details of an account. */
function assertWithout(exchange: Exchange, found: Membership, whose: "main" | "other"): void {
  const { tags, ...names } = detailsOf[whose];
  for (const [name, value] of Object.entries(names))
    assert(found[name] !== value, exchange, {
      expected: `no ${name} of another account`,
      found: format(found[name]),
    });
  assert(!tags.some((tag) => hasTag(found, tag)), exchange, {
    expected: "no tags of another account",
    found: format(found.tags),
  });
}

const hasTag = ({ tags }: Membership, tag: string): boolean => Array.isArray(tags) && tags.includes(tag);

/** Asserts that a membership has the details of one account and none of the other's. */
function assertDetails(exchange: Exchange, found: Membership, whose: "main" | "other"): void {
  const { tags, ...names } = detailsOf[whose];
  for (const [name, value] of Object.entries(names)) assertEqual(exchange, name, found[name], value);
  assert(
    tags.every((tag) => hasTag(found, tag)),
    exchange,
    { expected: `tags including ${tags.join(", ")}`, found: format(found.tags) },
  );
  assertWithout(exchange, found, whose === "main" ? "other" : "main");
}

/** Asserts that the contact is subscribed to this list and no other. */
function assertSubscribed(exchange: Exchange, list: number): void {
  assertMembershipStatus(exchange, "subscribed", list);
  assertProperty(exchange, "marketing_blocked", false);
  assertLists(exchange, list);
}

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
    [
      caseOf(contactOfBoth, "it is new to the second account", ({ added, otherList, text }) => {
        assertEqual(added, "status", added.status, 201);
        assertMembershipStatus(added, "subscribed");
        assertProperty(added, "list_id", otherList);
        assertWithout(added, bodyOf(added), "main");
        const { [text ?? ""]: value } = (bodyOf(added).fields ?? {}) as Record<string, unknown>;
        assert(value !== "Leeds", added, { expected: "no value of another account", found: format(value) });
      }),
      caseOf(contactOfBoth, "each account has its own details", ({ updated, between, list }) => {
        assertDetails(updated, bodyOf(updated), "other");
        assertDetails(between, membership(between, list), "main");
        assertLists(between, list);
      }),
      caseOf(contactOfBoth, "unsubscribing from the second account", ({ found, list }) =>
        assertSubscribed(found, list),
      ),
      caseOf(contactsLeavingMain, "unsubscribing from the first account", ({ late, list }) =>
        assertSubscribed(late, list),
      ),
      caseOf(contactsLeavingMain, "unsubscribed from the first account before", ({ added, early, list }) => {
        assertMembershipStatus(added, "subscribed");
        assertSubscribed(early, list);
      }),
    ].map((testCase) => ({ ...testCase, operation: "upsertContact" as const, core: false })),
  ),
  check(
    "AUTH-2",
    "a contact cannot be added to a list of another account",
    { needs: ["keys.otherAccount"] },
    casePerOperation(["upsertContact"], [], assertNotFound),
  ),
  check(
    ["AUTH-2", "CONT-26"],
    "a contact of another account is not found, and stays as it is",
    (["getContact", "unsubscribeContact", "unsubscribeContact, from a list"] as const).map((title) =>
      caseOf(
        contactOfOther,
        title,
        { operation: title === "getContact" ? title : "unsubscribeContact", core: false },
        ({ responses, after, list }) => {
          assertError(responses[title], 404, "not_found", "list_id");
          assertMembershipStatus(after, "subscribed", list);
        },
      ),
    ),
  ),
  check(
    ["AUTH-2", "CONT-26"],
    "a contact of another account is not found, whatever its status",
    { needs: ["keys.otherAccount"] },
    [
      ...casePerOperation(["getContact", "unsubscribeContact"], ["getContact"], assertNotFound),
      ...Object.entries(unsubscribedContacts).map(([title, { needs, emailOf }]) =>
        testCase(title, { operation: "getContact", core: false, needs }, async (tester) => {
          const options = { key, path: { email: await emailOf(tester) } } as const;
          assertError(await tester.request("getContact", options), 404, "not_found");
        }),
      ),
    ],
  ),
  check(
    "CONT-7",
    "a contact rejected for a list of another account changes in neither account",
    { needs, core: false },
    async (tester) => {
      const { response, after, atOther, list } = await contactForListOfOther(tester);
      assertError(response, 404, "not_found", "list_id");
      assertDetails(after, membership(after, list), "main");
      assertLists(after, list);
      assertError(atOther, 404, "not_found");
    },
  ),
  check(
    "UNSUB-12",
    "unsubscribing from a list of another account leaves its membership unchanged",
    { needs, core: false },
    async (tester) => {
      const { rejected, afterRejection, otherList } = await contactOfBoth(tester);
      assertError(rejected, 404, "not_found", "list_id");
      assertMembershipStatus(afterRejection, "subscribed", otherList);
    },
  ),
];
