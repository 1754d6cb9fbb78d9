import { NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, assertError, bodyOf, requestOk } from "../support/assertions.ts";
import {
  contactInCapitals,
  contactWithDetails,
  unsubscribedFromAll,
  unsubscribedFromOne,
} from "../support/contact-scenarios.ts";
import {
  addContact,
  listId,
  needsList,
  needsTwoLists,
  newContact,
  unsubscribe,
  upsert,
} from "../support/contacts.ts";

const consentCase = (title: string, consent: Record<string, string>): TestCase =>
  testCase(title, { needs: needsList }, (tester) =>
    requestOk(tester, "upsertContact", {
      body: { email: newContact(tester), list_id: listId(tester, "plain"), consent },
    }),
  );

export const consent: Check[] = [
  check("CONT-17", "a consent with only a detail is accepted", [
    consentCase("", { detail: "Ticked the newsletter box in a check of the contract." }),
  ]),
  check("CONT-21", "a consent with only an IP address is accepted", [
    consentCase("IPv4", { ip: "192.0.2.17" }),
    consentCase("IPv6", { ip: "2001:db8::17" }),
  ]),
  check("CONT-22", "a consent with only a user agent is accepted", [
    consentCase("", { user_agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0" }),
  ]),
];

/** The sorted ids of the lists in a contact record. */
const listIdsOf = (exchange: Exchange): number[] => {
  const { lists } = bodyOf(exchange);
  return (Array.isArray(lists) ? (lists as { list_id?: unknown }[]) : [])
    .map((one) => Number(one.list_id))
    .sort((one, other) => one - other);
};

/** The response to another account's key, which must be able to use contacts. */
function fromOtherAccount(exchange: Exchange): Exchange {
  if (exchange.status === 402 || exchange.status === 403)
    throw new NotVerified("keys.otherAccount cannot access the contacts of its own account.");
  return exchange;
}

export const contactRecords: Check[] = [
  check(["CONT-23", "GEN-13"], "a contact is found by its URL-encoded email address", { needs: needsList }, [
    testCase("a plain address", { core: true }, async (tester) => {
      const { email, found } = await contactWithDetails(tester);
      assertEqual(found, "email", bodyOf(found).email, email);
    }),
    testCase("an address with a plus sign", { core: true }, async (tester) => {
      const { email, found } = await contactInCapitals(tester);
      assertEqual(found, "email", bodyOf(found).email, email);
    }),
  ]),
  check(
    "GEN-13",
    "a contact is unsubscribed by its URL-encoded email address",
    { needs: needsList },
    async (tester) => {
      const email = newContact(tester).replace("@", "+news@");
      await upsert(tester, email, listId(tester, "plain"));
      const response = await unsubscribe(tester, email);
      assertEqual(response, "email", bodyOf(response).email, email);
    },
  ),
  check("CONT-24", "marketing_blocked is true only after unsubscribing from everything", [
    testCase("a subscribed contact", { core: true, needs: needsList }, async (tester) => {
      const { found } = await contactWithDetails(tester);
      assertEqual(found, "marketing_blocked", bodyOf(found).marketing_blocked, false);
    }),
    testCase("unsubscribed from one of two lists", { core: true, needs: needsTwoLists }, async (tester) => {
      const { unsubscribed, after } = await unsubscribedFromOne(tester);
      assertEqual(unsubscribed, "marketing_blocked", bodyOf(unsubscribed).marketing_blocked, false);
      assertEqual(after, "marketing_blocked", bodyOf(after).marketing_blocked, false);
    }),
    testCase("unsubscribed from everything", { core: true, needs: needsList }, async (tester) => {
      const { unsubscribed, after } = await unsubscribedFromAll(tester);
      assertEqual(unsubscribed, "marketing_blocked", bodyOf(unsubscribed).marketing_blocked, true);
      assertEqual(after, "marketing_blocked", bodyOf(after).marketing_blocked, true);
    }),
  ]),
  check("CONT-25", "a contact record has one membership per list", [
    testCase("one list", { core: true, needs: needsList }, async (tester) => {
      const { found, list } = await contactWithDetails(tester);
      assertEqual(found, "lists", listIdsOf(found), [list]);
    }),
    testCase("two lists", { core: true, needs: needsTwoLists }, async (tester) => {
      const { before, list, other } = await unsubscribedFromOne(tester);
      assertEqual(
        before,
        "lists",
        listIdsOf(before),
        [list, other].sort((one, next) => one - next),
      );
    }),
    testCase("after unsubscribing from everything", { core: true, needs: needsList }, async (tester) => {
      const { unsubscribed, lists } = await unsubscribedFromAll(tester);
      assertEqual(
        unsubscribed,
        "lists",
        listIdsOf(unsubscribed),
        [...lists].sort((one, next) => one - next),
      );
    }),
  ]),
  check("CONT-26", "an email address that the account has never seen is rejected with 404 not_found", [
    testCase("getContact", { operation: "getContact", core: true }, async (tester) =>
      assertError(
        await tester.request("getContact", { path: { email: newContact(tester) } }),
        404,
        "not_found",
      ),
    ),
    testCase("unsubscribeContact", { operation: "unsubscribeContact", core: true }, async (tester) => {
      const options = { path: { email: newContact(tester) }, body: {} };
      assertError(await tester.request("unsubscribeContact", options), 404, "not_found");
    }),
    testCase(
      "a contact of another account",
      { needs: ["lists.plain", "keys.otherAccount"] },
      async (tester) => {
        const { email } = await contactWithDetails(tester);
        const options = { path: { email }, key: "otherAccount" } as const;
        assertError(fromOtherAccount(await tester.request("getContact", options)), 404, "not_found");
      },
    ),
    testCase(
      "unsubscribing a contact of another account",
      { needs: ["lists.plain", "keys.otherAccount"] },
      async (tester) => {
        const email = await addContact(tester);
        const options = { path: { email }, body: {}, key: "otherAccount" } as const;
        assertError(fromOtherAccount(await tester.request("unsubscribeContact", options)), 404, "not_found");
      },
    ),
    testCase(
      "an email address whose request was rejected",
      { needs: ["lists.otherAccount"] },
      async (tester) => {
        const email = newContact(tester);
        const body = { email, list_id: listId(tester, "otherAccount") };
        assertError(await tester.request("upsertContact", { body }), 404, "not_found", "list_id");
        assertError(await tester.request("getContact", { path: { email } }), 404, "not_found");
      },
    ),
  ]),
];
