import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, bodyOf, format } from "../support/assertions.ts";
import {
  confirmContact,
  contactInCapitals,
  contactInState,
  contactWithDetails,
  contactWithFields,
  pendingContact,
  unsubscribedFromAll,
  unsubscribedFromOne,
} from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  assertRecent,
  listId,
  lookUpContact,
  type Membership,
  membership,
  needsList,
  needsOptInList,
  needsTwoLists,
  newContact,
  unsubscribe,
  upsert,
} from "../support/contacts.ts";

/**
 * The responses with the contact's membership after adding or updating it, each with what was found and what was sent.
 */
async function membershipsAfter(
  tester: Tester,
  name: string,
  which: "adding" | "updating",
): Promise<[Exchange, Membership, Membership][]> {
  const { added, updated, found, list, first, second } = await (name === "fields"
    ? contactWithFields
    : contactWithDetails)(tester);
  if (which === "adding") return [[added, bodyOf(added), first]];
  return [
    [updated, bodyOf(updated), second],
    [found, membership(found, list), second],
  ];
}

/** The membership has what was sent under this name. */
const keptCases = (name: string): TestCase[] =>
  (["adding", "updating"] as const).map((which) =>
    testCase(`after ${which}`, { core: true }, async (tester) => {
      for (const one of await membershipsAfter(tester, name, which)) assertSame(name, ...one);
    }),
  );

function assertSame(name: string, exchange: Exchange, found: Membership, sent: Membership): void {
  if (name === "fields" || name === "tags") assertIncludes(exchange, name, found[name], sent[name]);
  else assertEqual(exchange, name, found[name], sent[name]);
}

/** Cleared values are covered by another check. */
function assertIncludes(exchange: Exchange, name: string, found: unknown, sent: unknown): void {
  const has = (key: string, value: unknown): boolean =>
    Array.isArray(found)
      ? found.includes(value)
      : (found as Record<string, unknown> | null | undefined)?.[key] === value;
  const lost = Object.entries(sent as object).find(([key, value]) => value !== null && !has(key, value));
  assert(lost === undefined, exchange, {
    expected: `${name} including ${format(lost?.[1])}`,
    found: format(found),
  });
}

/** Whether two texts are the same time; one may have whole seconds only. */
function isSameTime(one = "", other = ""): boolean {
  const [first, second] = [Date.parse(one), Date.parse(other)];
  const isCoarse = first % 1000 === 0 || second % 1000 === 0;
  return first === second || (isCoarse && Math.abs(first - second) < 1000);
}

export const memberships: Check[] = [
  ...withNeeds(needsList, [
    check("MEMB-1", "a membership has the id of its list", { needs: ["lists.second"] }, async (tester) => {
      const { added, addedToOther, list, other } = await unsubscribedFromOne(tester);
      assertEqual(added, "list_id", bodyOf(added).list_id, list);
      assertEqual(addedToOther, "list_id", bodyOf(addedToOther).list_id, other);
    }),
    check(
      "MEMB-2",
      "a membership has the email address in lower case",
      (["added", "updated", "found"] as const).map((when) =>
        testCase(when, { core: true }, async (tester) => {
          const { [when]: exchange, email } = await contactInCapitals(tester);
          const one = when === "found" ? membership(exchange, listId(tester, "plain")) : bodyOf(exchange);
          assertEqual(exchange, "email", one.email, email);
        }),
      ),
    ),
    check("MEMB-2", "email addresses are compared without regard to case", async (tester) => {
      const { updated } = await contactInCapitals(tester);
      assertEqual(updated, "status", updated.status, 200);
    }),
    check("MEMB-5", "a membership has the first name that was sent", keptCases("first_name")),
    check("MEMB-6", "a membership has the last name that was sent", keptCases("last_name")),
    check("MEMB-7", "a membership has the values of custom fields that were sent", keptCases("fields")),
    check("MEMB-8", "a membership has the tags that were sent", keptCases("tags")),
  ]),
  check("MEMB-9", "a membership has the time it began", [
    testCase("on joining a list without double opt-in", { core: true, needs: needsList }, async (tester) => {
      const { added } = await contactWithDetails(tester);
      assertRecent(tester, added, "subscribed_at", bodyOf(added).subscribed_at);
    }),
    testCase("null before the confirmation", { core: true, needs: needsOptInList }, async (tester) => {
      const { added, found, list } = await pendingContact(tester);
      assertEqual(added, "subscribed_at", bodyOf(added).subscribed_at, null);
      assertEqual(found, "subscribed_at", membership(found, list).subscribed_at, null);
    }),
    testCase("an update keeps it", { core: true, needs: needsList }, async (tester) => {
      const { added, updated } = await contactWithDetails(tester);
      const [before, after] = [added, updated].map((one) => String(bodyOf(one).subscribed_at));
      assert(isSameTime(before, after), updated, {
        expected: `subscribed_at ${before}, as before`,
        found: format(after),
      });
    }),
    testCase(
      "null if the contact unsubscribed before the confirmation",
      { core: true, needs: needsOptInList },
      async (tester) => {
        const { unsubscribed, list } = await pendingContact(tester);
        assertEqual(unsubscribed, "subscribed_at", membership(unsubscribed, list).subscribed_at, null);
      },
    ),
  ]),
  check("MEMB-10", "a membership has the time of the unsubscribe", [
    testCase("null before the unsubscribe", { core: true, needs: needsList }, async (tester) => {
      const { added } = await contactWithDetails(tester);
      assertEqual(added, "unsubscribed_at", bodyOf(added).unsubscribed_at, null);
    }),
    testCase("after unsubscribing from one list", { core: true, needs: needsTwoLists }, async (tester) => {
      const { unsubscribed, list } = await unsubscribedFromOne(tester);
      assertRecent(tester, unsubscribed, "unsubscribed_at", membership(unsubscribed, list).unsubscribed_at);
    }),
    testCase("an update afterwards keeps it", { core: true, needs: needsTwoLists }, async (tester) => {
      const { readded, final, list } = await unsubscribedFromOne(tester);
      assertRecent(tester, readded, "unsubscribed_at", bodyOf(readded).unsubscribed_at);
      assertRecent(tester, final, "unsubscribed_at", membership(final, list).unsubscribed_at);
    }),
    testCase("after unsubscribing from everything", { core: true, needs: needsList }, async (tester) => {
      const { after, list } = await unsubscribedFromAll(tester);
      assertRecent(tester, after, "unsubscribed_at", membership(after, list).unsubscribed_at);
    }),
  ]),
  check(
    "MEMB-16",
    "updating a contact updates its names, fields and tags",
    { needs: needsList },
    ["first_name", "last_name", "fields", "tags"].map((name) =>
      testCase(name, { core: true }, async (tester) => {
        for (const one of await membershipsAfter(tester, name, "updating")) assertSame(name, ...one);
      }),
    ),
  ),
];

const hour = 3600;

/** A pending contact that has confirmed. */
const confirmedContact = (tester: Tester) =>
  tester.once("a confirmed contact", async (own) => {
    const list = listId(own, "doubleOptIn");
    const email = await addContact(own, {}, list);
    return { list, found: await confirmContact(own, email, list) };
  });

/**
 * The status on a further list after unsubscribing from everything is unspecified, except that it is neither of these.
 */
function assertNotSubscribed(exchange: Exchange): void {
  const { status } = bodyOf(exchange);
  const isBack = status === "subscribed" || status === "pending";
  assert(!isBack, exchange, { expected: "neither subscribed nor pending", found: format(status) });
}

export const membershipStates: Check[] = [
  check("MEMB-11", "a contact of a list with double opt-in starts as pending", { needs: needsOptInList }, [
    testCase("in the response", { core: true }, async (tester) =>
      assertMembershipStatus((await pendingContact(tester)).added, "pending"),
    ),
    testCase("in the contact record", { core: true }, async (tester) => {
      const { found, list } = await pendingContact(tester);
      assertMembershipStatus(found, "pending", list);
    }),
  ]),
  check(
    "MEMB-13",
    "a contact of a list without double opt-in is subscribed immediately",
    { needs: needsList },
    async (tester) => {
      const { added, found, list } = await contactWithDetails(tester);
      assertMembershipStatus(added, "subscribed");
      assertMembershipStatus(found, "subscribed", list);
    },
  ),
  check(
    "MEMB-15",
    "a pending contact that confirms becomes subscribed",
    { needs: [...needsOptInList, "hooks.confirm"] },
    [
      testCase("status", { core: true }, async (tester) => {
        const { found, list } = await confirmedContact(tester);
        assertMembershipStatus(found, "subscribed", list);
      }),
      testCase("subscribed_at", { core: true }, async (tester) => {
        const { found, list } = await confirmedContact(tester);
        assertRecent(tester, found, "subscribed_at", membership(found, list).subscribed_at);
      }),
    ],
  ),
  check(
    ["MEMB-9", "MEMB-15"],
    "subscribed_at is the time of the confirmation, not of the request",
    { core: false, tags: ["clock"], needs: [...needsOptInList, "hooks.confirm", "hooks.advanceClock"] },
    async (tester) => {
      const list = listId(tester, "doubleOptIn");
      const email = newContact(tester);
      await upsert(tester, email, list);
      await tester.hook("advanceClock", { seconds: 6 * hour });
      const confirmedAt = tester.run.now();
      await tester.hook("confirm", { email, list });
      const found = await lookUpContact(tester, email);
      const { subscribed_at } = membership(found, list);
      const hours = Math.abs(Date.parse(String(subscribed_at)) - confirmedAt) / 1000 / hour;
      assert(hours < 3, found, {
        expected: "the time of the confirmation in subscribed_at",
        found: `${format(subscribed_at)}, ${Math.round(hours)} hours off`,
      });
    },
  ),
  check("MEMB-16", "updating a contact keeps its status", [
    testCase("subscribed", { core: true, needs: needsList }, async (tester) =>
      assertMembershipStatus((await contactWithDetails(tester)).updated, "subscribed"),
    ),
    testCase("pending", { core: true, needs: needsOptInList }, async (tester) =>
      assertMembershipStatus((await pendingContact(tester)).updated, "pending"),
    ),
    testCase("cleaned", { core: true, needs: ["contacts.cleaned"] }, async (tester) =>
      assertMembershipStatus((await contactInState(tester, "cleaned")).updated, "cleaned"),
    ),
  ]),
  check("MEMB-17", "an unsubscribed or complained contact is never subscribed again by a request", [
    testCase("after unsubscribing from one list", { core: true, needs: needsTwoLists }, async (tester) => {
      const { readded, final, list } = await unsubscribedFromOne(tester);
      assertMembershipStatus(readded, "unsubscribed");
      assertMembershipStatus(final, "unsubscribed", list);
    }),
    testCase(
      "after unsubscribing from one list, with the email address in upper case",
      { needs: needsList },
      async (tester) => {
        const [email, list] = [await addContact(tester), listId(tester, "plain")];
        await unsubscribe(tester, email, list);
        assertMembershipStatus(await upsert(tester, email.toUpperCase(), list), "unsubscribed");
        assertMembershipStatus(await lookUpContact(tester, email), "unsubscribed", list);
      },
    ),
    testCase(
      "after unsubscribing from a list with double opt-in",
      { core: true, needs: needsOptInList },
      async (tester) => assertMembershipStatus((await pendingContact(tester)).readded, "unsubscribed"),
    ),
    testCase("after unsubscribing from everything", { core: true, needs: needsList }, async (tester) => {
      const { readded, final, list } = await unsubscribedFromAll(tester);
      assertMembershipStatus(readded, "unsubscribed");
      assertMembershipStatus(final, "unsubscribed", list);
    }),
    testCase(
      "a further list, after unsubscribing from everything",
      { core: true, needs: needsTwoLists },
      async (tester) => {
        const { addedToOther } = await unsubscribedFromAll(tester);
        if (addedToOther !== undefined) assertNotSubscribed(addedToOther);
      },
    ),
    testCase(
      "a further list with double opt-in, after unsubscribing from everything",
      { needs: ["lists.plain", "lists.doubleOptIn"] },
      async (tester) => {
        const email = await addContact(tester);
        await unsubscribe(tester, email);
        assertNotSubscribed(await upsert(tester, email, listId(tester, "doubleOptIn")));
      },
    ),
    testCase("after a complaint", { core: true, needs: ["contacts.complained"] }, async (tester) =>
      assertMembershipStatus((await contactInState(tester, "complained")).updated, "complained"),
    ),
  ]),
  check(
    "MEMB-3",
    "a contact that complained has the status complained",
    { needs: ["contacts.complained"] },
    async (tester) => {
      const { found, list } = await contactInState(tester, "complained");
      assertMembershipStatus(found, "complained", list);
    },
  ),
  check(
    "MEMB-18",
    "a contact that was cleaned has the status cleaned",
    { needs: ["contacts.cleaned"] },
    async (tester) => {
      const { found, list } = await contactInState(tester, "cleaned");
      assertMembershipStatus(found, "cleaned", list);
    },
  ),
];
