import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { bodyOf, format } from "../support/assertions.ts";
import {
  contactInState,
  contactWithDetails,
  leftAllLists,
  leftOneList,
  pendingContact,
} from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  assertRecent,
  listId,
  lookUpContact,
  membership,
  newContact,
  unsubscribe,
  upsert,
} from "../support/contacts.ts";

const needs = ["lists.plain"] as const;
const two = ["lists.plain", "lists.second"] as const;
const optIn = ["lists.doubleOptIn"] as const;
/** In seconds. */
const hour = 3600;

/** A pending contact that follows its confirmation. */
const confirmedContact = (tester: Tester) =>
  tester.once("a contact that confirmed", async (own) => {
    const list = listId(own, "doubleOptIn");
    const email = await addContact(own, {}, list);
    await own.hook("confirm", { email, list });
    const found = await own.until(
      () => lookUpContact(own, email),
      (exchange) => membership(exchange, list).status !== "pending",
      own.settings.deadlines.moments,
    );
    return { list, found };
  });

/** Which status somebody has on a further list after leaving everything is left open, but for these two. */
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
      testCase("in the answer", { core: true }, async (tester) =>
        assertMembershipStatus((await pendingContact(tester)).added, "pending"),
      ),
      testCase("looked up", { core: true }, async (tester) => {
        const { found, list } = await pendingContact(tester);
        assertMembershipStatus(found, "pending", list);
      }),
    ],
    { needs: optIn },
  ),
  check(
    "MEMB-13",
    "a contact of a list without double opt-in is subscribed at once",
    async (tester) => {
      const { added, found, list } = await contactWithDetails(tester);
      assertMembershipStatus(added, "subscribed");
      assertMembershipStatus(found, "subscribed", list);
    },
    { needs },
  ),
  check(
    "MEMB-15",
    "a pending contact that confirms is subscribed",
    [
      testCase("its status", { core: true }, async (tester) => {
        const { found, list } = await confirmedContact(tester);
        assertMembershipStatus(found, "subscribed", list);
      }),
      testCase("its subscribed_at", { core: true }, async (tester) => {
        const { found, list } = await confirmedContact(tester);
        assertRecent(tester, found, "subscribed_at", membership(found, list).subscribed_at);
      }),
    ],
    { needs: [...optIn, "hooks.confirm"] },
  ),
  check(
    ["MEMB-9", "MEMB-15"],
    "the time at which a membership began is that of the confirmation, not of the post",
    [
      testCase("", { core: false }, async (tester) => {
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
          expected: "subscribed_at, the time of the confirmation",
          found: `${format(subscribed_at)}, ${Math.round(hours)} hours off`,
        });
      }),
    ],
    { tags: ["clock"], needs: [...optIn, "hooks.confirm", "hooks.advanceClock"] },
  ),
  check("MEMB-16", "a post for an address on the list leaves its status as it is", [
    testCase("subscribed", { core: true, needs }, async (tester) =>
      assertMembershipStatus((await contactWithDetails(tester)).updated, "subscribed"),
    ),
    testCase("pending", { core: true, needs: optIn }, async (tester) =>
      assertMembershipStatus((await pendingContact(tester)).updated, "pending"),
    ),
    testCase("cleaned", { core: true, needs: ["contacts.cleaned"] }, async (tester) =>
      assertMembershipStatus((await contactInState(tester, "cleaned")).posted, "cleaned"),
    ),
  ]),
  check("MEMB-17", "an address that left or complained is never put back by a post", [
    testCase("after leaving one list", { core: true, needs: two }, async (tester) => {
      const { again, atLast, list } = await leftOneList(tester);
      assertMembershipStatus(again, "unsubscribed");
      assertMembershipStatus(atLast, "unsubscribed", list);
    }),
    testCase("after leaving one list, with the address in capitals", { needs }, async (tester) => {
      const [email, list] = [await addContact(tester), listId(tester, "plain")];
      await unsubscribe(tester, email, list);
      assertMembershipStatus(await upsert(tester, email.toUpperCase(), list), "unsubscribed");
      assertMembershipStatus(await lookUpContact(tester, email), "unsubscribed", list);
    }),
    testCase("after leaving a list with double opt-in", { core: true, needs: optIn }, async (tester) =>
      assertMembershipStatus((await pendingContact(tester)).again, "unsubscribed"),
    ),
    testCase("after leaving everything", { core: true, needs }, async (tester) => {
      const { again, atLast, list } = await leftAllLists(tester);
      assertMembershipStatus(again, "unsubscribed");
      assertMembershipStatus(atLast, "unsubscribed", list);
    }),
    testCase("onto a further list, after leaving everything", { core: true, needs: two }, async (tester) => {
      const { joined } = await leftAllLists(tester);
      if (joined !== undefined) assertNotSubscribed(joined);
    }),
    testCase(
      "onto a further list with double opt-in, after leaving everything",
      { needs: ["lists.plain", "lists.doubleOptIn"] },
      async (tester) => {
        const email = await addContact(tester);
        await unsubscribe(tester, email);
        assertNotSubscribed(await upsert(tester, email, listId(tester, "doubleOptIn")));
      },
    ),
    testCase("after a complaint", { core: true, needs: ["contacts.complained"] }, async (tester) =>
      assertMembershipStatus((await contactInState(tester, "complained")).posted, "complained"),
    ),
  ]),
  check(
    "MEMB-3",
    "a contact that complained is shown as such",
    async (tester) => {
      const { found, list } = await contactInState(tester, "complained");
      assertMembershipStatus(found, "complained", list);
    },
    { needs: ["contacts.complained"] },
  ),
  check(
    "MEMB-18",
    "a contact that was rested is shown as cleaned",
    async (tester) => {
      const { found, list } = await contactInState(tester, "cleaned");
      assertMembershipStatus(found, "cleaned", list);
    },
    { needs: ["contacts.cleaned"] },
  ),
];
