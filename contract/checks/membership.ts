import { isObject } from "../../lib/objects.ts";
import { assert } from "../engine/assert.ts";
import { type Check, caseOf, check, type Scenario, scenario, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, assertProperty, assertStatusCode, bodyOf, format } from "../support/assertions.ts";
import {
  addContact,
  assertMembershipStatus,
  assertRecent,
  confirmContact,
  confirmedAfterLeaving,
  contactInCapitals,
  contactInState,
  contactWithDetails,
  contactWithFields,
  contactWrittenOften,
  listId,
  lookUpContact,
  membership,
  needsOptInList,
  needsTwoLists,
  newDetails,
  pendingContact,
  unsubscribe,
  unsubscribedFromAll,
  unsubscribedFromOne,
  upsert,
} from "../support/contacts.ts";
import { hour } from "../support/messages.ts";

function assertFields(exchange: Exchange, { fields }: { fields?: unknown }, sent: object): void {
  for (const [key, value] of Object.entries(sent))
    assertEqual(exchange, `fields.${key}`, isObject(fields) && fields[key], value);
}

export const memberships: Check[] = [
  check(
    "MEMB-2",
    "a membership has the email address in lower case",
    (["added", "updated", "found"] as const).map((when) =>
      caseOf(contactInCapitals, when, ({ [when]: exchange, email, list }) =>
        assertEqual(exchange, "email", membership(exchange, list).email, email),
      ),
    ),
  ),
  check("MEMB-2", "email addresses are compared without regard to case", [
    caseOf(contactInCapitals, "", ({ updated }) => assertStatusCode(updated, 200)),
  ]),
  check(["MEMB-7", "CONT-13"], "an update keeps the values of custom fields that it leaves out", [
    // The one that the update leaves out, whether or not the server takes numbers.
    caseOf(contactWithFields, "", { needs: ["fields.url"] }, ({ updated, found, list, first, second }) => {
      const kept = Object.entries(first.fields).filter(([one]) => !(one in second.fields));
      assertFields(updated, bodyOf(updated), Object.fromEntries(kept));
      assertFields(found, membership(found, list), Object.fromEntries(kept));
    }),
  ]),
  check("MEMB-7", "unsubscribing from everything leaves the custom fields and their types", [
    caseOf(unsubscribedFromAll, "", { needs: ["fields.text"] }, ({ list, fields, unsubscribed, after }) => {
      for (const found of [unsubscribed, after]) assertFields(found, membership(found, list), fields);
    }),
  ]),
  check("MEMB-9", "a membership has the time it began", [
    caseOf(contactWithDetails, "on joining a list without double opt-in", ({ added, list }) =>
      assertRecent(added, "subscribed_at", list),
    ),
    caseOf(pendingContact, "null before the confirmation", ({ added, found, list }) => {
      for (const one of [added, found])
        assertEqual(one, "subscribed_at", membership(one, list).subscribed_at, null);
    }),
    caseOf(contactWithDetails, "an update keeps it", ({ added, updated }) => {
      assertProperty(updated, "subscribed_at", bodyOf(added).subscribed_at);
    }),
    caseOf(pendingContact, "null if it unsubscribed before the confirmation", ({ unsubscribed, list }) =>
      assertEqual(unsubscribed, "subscribed_at", membership(unsubscribed, list).subscribed_at, null),
    ),
  ]),
  check("MEMB-10", "a membership has the time of the unsubscribe", [
    caseOf(contactWithDetails, "null before the unsubscribe", ({ added }) =>
      assertProperty(added, "unsubscribed_at", null),
    ),
    caseOf(unsubscribedFromOne, "after unsubscribing from one list", ({ unsubscribed, list }) =>
      assertRecent(unsubscribed, "unsubscribed_at", list),
    ),
    caseOf(unsubscribedFromOne, "an update afterwards keeps it", ({ unsubscribed, readded, final, list }) => {
      for (const one of [readded, final]) assertRecent(one, "unsubscribed_at", list, unsubscribed);
    }),
    caseOf(unsubscribedFromAll, "after unsubscribing from everything", ({ unsubscribed, after, list }) =>
      assertRecent(after, "unsubscribed_at", list, unsubscribed),
    ),
    caseOf(contactWrittenOften, "the same in the record", { core: false }, ({ again, left, list }) => {
      const { unsubscribed_at } = membership(again, list);
      assertEqual(left, "unsubscribed_at", membership(left, list).unsubscribed_at, unsubscribed_at);
    }),
  ]),
];

const confirming = [...needsOptInList, "hooks.confirm"] as const;

const confirmedContact = scenario("a confirmed contact", confirming, async (tester) => {
  const list = listId(tester, "doubleOptIn");
  return { list, found: await confirmContact(tester, await addContact(tester, {}, list), list) };
});

/**
 * The status on a further list after unsubscribing from everything is unspecified, except that it is neither of these.
 */
function assertNotSubscribed(exchange: Exchange): void {
  const { status } = bodyOf(exchange);
  const isBack = status === "subscribed" || status === "pending";
  assert(!isBack, exchange, { expected: "neither subscribed nor pending", found: format(status) });
}

const gone = "unsubscribed";

/** Of the membership in several responses of a scenario. */
const statusCase = <View extends string>(
  given: Scenario<{ list: number } & Record<View, Exchange>>,
  title: string,
  status: string,
  ...views: View[]
) =>
  caseOf(given, title, (found) => {
    for (const view of views) assertMembershipStatus(found[view], status, found.list);
  });

/** An update leaves the state, which no request reaches, as it is. */
const updatedIn = (state: "cleaned" | "complained") =>
  statusCase(contactInState(state), state, state, "updated", "afterUpdate");

type Change = (tester: Tester, email: string, list: number) => Promise<unknown>;
type Leave = (tester: Tester, contact: { email: string; list: number }) => Promise<Exchange>;
type Changed = { email: string; list: number; other: number; status: string };
type Write = (tester: Tester, contact: Changed) => Promise<unknown>;

/** The states that requests and the hook `confirm` lead to: the list, the status on it, and what leads to it. */
const states = {
  pending: ["doubleOptIn", "pending"],
  confirmed: ["doubleOptIn", "subscribed", confirmContact],
  subscribed: ["plain", "subscribed"],
  unsubscribed: ["plain", "unsubscribed", unsubscribe],
  /** Unsubscribed from everything. */
  blocked: ["plain", "unsubscribed", (tester, email) => unsubscribe(tester, email)],
} satisfies Record<string, [list: "plain" | "doubleOptIn", status: string, change?: Change]>;

/** Requests for contacts in these states, and the status that a lookup shows then: by default that before. */
const writeCases = (names: readonly (keyof typeof states)[], write: Write, after?: string) =>
  names.map((name) => {
    const [on, status, change] = states[name];
    const needs = [...needsTwoLists, ...(on === "plain" ? [] : needsOptInList)];
    const hooks = name === "confirmed" ? (["hooks.confirm"] as const) : [];
    return testCase(`${name}, on two lists`, { core: false, needs: [...needs, ...hooks] }, async (tester) => {
      const list = listId(tester, on);
      const email = await addContact(tester, {}, list);
      await change?.(tester, email, list);
      await write(tester, { email, list, other: listId(tester, "second"), status });
      assertMembershipStatus(await lookUpContact(tester, email), after ?? status, list);
    });
  });

/** Several times, also in upper case, then on another list. */
const updateOften: Write = async (tester, { email, list, other, status }) => {
  for (const one of [email, email.toUpperCase(), email])
    assertMembershipStatus(await upsert(tester, one, list, newDetails(tester)), status, list);
  await upsert(tester, email, other);
};

export const membershipStates: Check[] = [
  check(["MEMB-11", "CONT-4"], "a contact of a list with double opt-in starts as pending", [
    statusCase(pendingContact, "in the response", "pending", "added"),
    statusCase(pendingContact, "in the contact record", "pending", "found"),
  ]),
  check("MEMB-13", "a contact of a list without double opt-in is subscribed immediately", [
    statusCase(contactWithDetails, "", "subscribed", "added", "found"),
  ]),
  check("MEMB-15", "a pending contact that confirms becomes subscribed", [
    statusCase(confirmedContact, "status", "subscribed", "found"),
    caseOf(confirmedContact, "subscribed_at", ({ found, list }) =>
      assertRecent(found, "subscribed_at", list),
    ),
    caseOf(confirmedAfterLeaving, "and no other does", { core: false }, ({ other, list }) =>
      assertMembershipStatus(other, "pending", list),
    ),
  ]),
  check(
    ["MEMB-9", "MEMB-15"],
    "subscribed_at is the time of the confirmation, not of the request",
    { core: false, tags: ["clock"], needs: [...confirming, "hooks.advanceClock"] },
    async (tester) => {
      const list = listId(tester, "doubleOptIn");
      const email = await addContact(tester, {}, list);
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
    statusCase(contactWithDetails, "subscribed", "subscribed", "updated"),
    statusCase(pendingContact, "pending", "pending", "updated"),
    updatedIn("cleaned"),
    ...writeCases(["pending", "subscribed", "confirmed"], updateOften),
  ]),
  check(["MEMB-17", "CONT-4"], "no request subscribes an unsubscribed or complained contact again", [
    statusCase(unsubscribedFromOne, "after unsubscribing from one list", gone, "readded", "final"),
    statusCase(pendingContact, "after unsubscribing from a list with double opt-in", gone, "readded"),
    statusCase(unsubscribedFromAll, "after unsubscribing from everything", gone, "readded", "final"),
    caseOf(
      unsubscribedFromAll,
      "a further list",
      { needs: ["lists.second"] },
      ({ addedToOther }) => addedToOther && assertNotSubscribed(addedToOther),
    ),
    testCase("a list with double opt-in", { needs: ["lists.plain", "lists.doubleOptIn"] }, async (tester) => {
      const email = await addContact(tester);
      await unsubscribe(tester, email);
      assertNotSubscribed(await upsert(tester, email, listId(tester, "doubleOptIn")));
    }),
    updatedIn("complained"),
    ...writeCases(["unsubscribed", "blocked"], updateOften),
  ]),
  check(
    "UNSUB-5",
    "unsubscribing from another list leaves a membership in its state",
    writeCases(
      ["pending", "subscribed", "confirmed", "unsubscribed", "blocked"],
      async (tester, { email, other, status }) => {
        // Whether it may leave a list that it is not on is unspecified.
        const early = { path: { email }, body: { list_id: other } };
        if (status === "subscribed") await tester.request("unsubscribeContact", early);
        await upsert(tester, email, other);
        await unsubscribe(tester, email, other);
      },
    ),
  ),
  ...(
    [
      ["UNSUB-4", "one list", "complained", (tester, { email, list }) => unsubscribe(tester, email, list)],
      ["UNSUB-1", "everything", "cleaned", (tester, { email }) => unsubscribe(tester, email)],
    ] as [string, string, "complained" | "cleaned", Leave][]
  ).map(([id, what, configured, leave]) =>
    check(id, `unsubscribing from ${what} ends a membership in any state`, [
      ...writeCases(["confirmed", "blocked"], leave, "unsubscribed"),
      caseOf(contactInState(configured), configured, { core: false }, async ({ email, list }, tester) => {
        for (const exchange of [await leave(tester, { email, list }), await lookUpContact(tester, email)])
          assertMembershipStatus(exchange, "unsubscribed", list);
      }),
    ]),
  ),
  check("MEMB-3", "a contact that complained has the status complained", [
    statusCase(contactInState("complained"), "", "complained", "found"),
  ]),
  check("MEMB-18", "a contact that was cleaned has the status cleaned", [
    statusCase(contactInState("cleaned"), "", "cleaned", "found"),
  ]),
];
