import { assert } from "../engine/assert.ts";
import { type Check, check, notInCore, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, format } from "../support/assertions.ts";
import {
  contactInState,
  contactWithDetails,
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
  membership,
  needsList,
  needsOptInList,
  needsTwoLists,
  newContact,
  unsubscribe,
  upsert,
} from "../support/contacts.ts";
import { confirmContact } from "../support/membership-writes.ts";

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
  check(
    "MEMB-11",
    "a contact of a list with double opt-in starts as pending",
    [
      testCase("in the response", { core: true }, async (tester) =>
        assertMembershipStatus((await pendingContact(tester)).added, "pending"),
      ),
      testCase("in the contact record", { core: true }, async (tester) => {
        const { found, list } = await pendingContact(tester);
        assertMembershipStatus(found, "pending", list);
      }),
    ],
    { needs: needsOptInList },
  ),
  check(
    "MEMB-13",
    "a contact of a list without double opt-in is subscribed immediately",
    async (tester) => {
      const { added, found, list } = await contactWithDetails(tester);
      assertMembershipStatus(added, "subscribed");
      assertMembershipStatus(found, "subscribed", list);
    },
    { needs: needsList },
  ),
  check(
    "MEMB-15",
    "a pending contact that confirms becomes subscribed",
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
    { needs: [...needsOptInList, "hooks.confirm"] },
  ),
  check(
    ["MEMB-9", "MEMB-15"],
    "subscribed_at is the time of the confirmation, not of the request",
    notInCore(async (tester) => {
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
    }),
    { tags: ["clock"], needs: [...needsOptInList, "hooks.confirm", "hooks.advanceClock"] },
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
    async (tester) => {
      const { found, list } = await contactInState(tester, "complained");
      assertMembershipStatus(found, "complained", list);
    },
    { needs: ["contacts.complained"] },
  ),
  check(
    "MEMB-18",
    "a contact that was cleaned has the status cleaned",
    async (tester) => {
      const { found, list } = await contactInState(tester, "cleaned");
      assertMembershipStatus(found, "cleaned", list);
    },
    { needs: ["contacts.cleaned"] },
  ),
];
