import { assert } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { detailed, inState, leftAll, leftOne, pending } from "./contact-lives.ts";
import { addContact, bodyOf, format, newContact } from "./kit.ts";
import { hasStatus, isRecent, leave, listOf, lookUp, membership, post } from "./newsletter.ts";

const needs = ["lists.plain"] as const;
const two = ["lists.plain", "lists.second"] as const;
const optIn = ["lists.doubleOptIn"] as const;
/** In seconds. */
const hour = 3600;

/** A pending contact that follows its confirmation. */
const confirmed = (tester: Tester) =>
  tester.once("a contact that confirmed", async (own) => {
    const list = listOf(own, "doubleOptIn");
    const email = await addContact(own, {}, list);
    await own.hook("confirm", { email, list });
    const found = await own.until(
      () => lookUp(own, email),
      (exchange) => membership(exchange, list).status !== "pending",
      own.settings.deadlines.moments,
    );
    return { list, found };
  });

/** Which status somebody has on a further list after leaving everything is left open, but for these two. */
function staysAway(exchange: Exchange): void {
  const { status } = bodyOf(exchange);
  const isBack = status === "subscribed" || status === "pending";
  assert(!isBack, exchange, { expected: "neither subscribed nor pending", found: format(status) });
}

export const membershipStates: Check[] = [
  check(
    "MEMB-11",
    "a contact of a list with double opt-in starts as pending",
    [
      {
        title: "in the answer",
        core: true,
        run: async (tester) => hasStatus((await pending(tester)).added, "pending"),
      },
      {
        title: "looked up",
        core: true,
        run: async (tester) => {
          const { found, list } = await pending(tester);
          hasStatus(found, "pending", list);
        },
      },
    ],
    { needs: optIn },
  ),
  check(
    "MEMB-13",
    "a contact of a list without double opt-in is subscribed at once",
    async (tester) => {
      const { added, found, list } = await detailed(tester);
      hasStatus(added, "subscribed");
      hasStatus(found, "subscribed", list);
    },
    { needs },
  ),
  check(
    "MEMB-15",
    "a pending contact that confirms is subscribed",
    [
      {
        title: "its status",
        core: true,
        run: async (tester) => {
          const { found, list } = await confirmed(tester);
          hasStatus(found, "subscribed", list);
        },
      },
      {
        title: "its subscribed_at",
        core: true,
        run: async (tester) => {
          const { found, list } = await confirmed(tester);
          isRecent(tester, found, "subscribed_at", membership(found, list).subscribed_at);
        },
      },
    ],
    { needs: [...optIn, "hooks.confirm"] },
  ),
  check(
    ["MEMB-9", "MEMB-15"],
    "the time at which a membership began is that of the confirmation, not of the post",
    [
      {
        title: "",
        core: false,
        run: async (tester) => {
          const list = listOf(tester, "doubleOptIn");
          const email = newContact(tester);
          await post(tester, email, list);
          await tester.hook("advanceClock", { seconds: 6 * hour });
          const confirmedAt = tester.run.now();
          await tester.hook("confirm", { email, list });
          const found = await lookUp(tester, email);
          const { subscribed_at } = membership(found, list);
          const hours = Math.abs(Date.parse(String(subscribed_at)) - confirmedAt) / 1000 / hour;
          assert(hours < 3, found, {
            expected: "subscribed_at, the time of the confirmation",
            found: `${format(subscribed_at)}, ${Math.round(hours)} hours off`,
          });
        },
      },
    ],
    { tags: ["clock"], needs: [...optIn, "hooks.confirm", "hooks.advanceClock"] },
  ),
  check("MEMB-16", "a post for an address on the list leaves its status as it is", [
    {
      title: "subscribed",
      core: true,
      needs,
      run: async (tester) => hasStatus((await detailed(tester)).updated, "subscribed"),
    },
    {
      title: "pending",
      core: true,
      needs: optIn,
      run: async (tester) => hasStatus((await pending(tester)).updated, "pending"),
    },
    {
      title: "cleaned",
      core: true,
      needs: ["contacts.cleaned"],
      run: async (tester) => hasStatus((await inState(tester, "cleaned")).posted, "cleaned"),
    },
  ]),
  check("MEMB-17", "an address that left or complained is never put back by a post", [
    {
      title: "after leaving one list",
      core: true,
      needs: two,
      run: async (tester) => {
        const { again, atLast, list } = await leftOne(tester);
        hasStatus(again, "unsubscribed");
        hasStatus(atLast, "unsubscribed", list);
      },
    },
    {
      title: "after leaving one list, with the address in capitals",
      needs,
      run: async (tester) => {
        const [email, list] = [await addContact(tester), listOf(tester, "plain")];
        await leave(tester, email, list);
        hasStatus(await post(tester, email.toUpperCase(), list), "unsubscribed");
        hasStatus(await lookUp(tester, email), "unsubscribed", list);
      },
    },
    {
      title: "after leaving a list with double opt-in",
      core: true,
      needs: optIn,
      run: async (tester) => hasStatus((await pending(tester)).again, "unsubscribed"),
    },
    {
      title: "after leaving everything",
      core: true,
      needs,
      run: async (tester) => {
        const { again, atLast, list } = await leftAll(tester);
        hasStatus(again, "unsubscribed");
        hasStatus(atLast, "unsubscribed", list);
      },
    },
    {
      title: "onto a further list, after leaving everything",
      core: true,
      needs: two,
      run: async (tester) => {
        const { joined } = await leftAll(tester);
        if (joined !== undefined) staysAway(joined);
      },
    },
    {
      title: "onto a further list with double opt-in, after leaving everything",
      needs: ["lists.plain", "lists.doubleOptIn"],
      run: async (tester) => {
        const email = await addContact(tester);
        await leave(tester, email);
        staysAway(await post(tester, email, listOf(tester, "doubleOptIn")));
      },
    },
    {
      title: "after a complaint",
      core: true,
      needs: ["contacts.complained"],
      run: async (tester) => hasStatus((await inState(tester, "complained")).posted, "complained"),
    },
  ]),
  check(
    "MEMB-3",
    "a contact that complained is shown as such",
    async (tester) => {
      const { found, list } = await inState(tester, "complained");
      hasStatus(found, "complained", list);
    },
    { needs: ["contacts.complained"] },
  ),
  check(
    "MEMB-18",
    "a contact that was rested is shown as cleaned",
    async (tester) => {
      const { found, list } = await inState(tester, "cleaned");
      hasStatus(found, "cleaned", list);
    },
    { needs: ["contacts.cleaned"] },
  ),
];
