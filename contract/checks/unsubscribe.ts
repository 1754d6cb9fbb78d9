import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertProperty,
  assertSuccess,
  bodyOf,
  format,
  requestOk,
} from "../support/assertions.ts";
import {
  addContact,
  assertMembershipStatus,
  contactInState,
  listId,
  lookUpContact,
  membership,
  needsList,
  needsTwoLists,
  pendingContact,
  unknownListId,
  unsubscribe,
  unsubscribedFromAll,
  unsubscribedFromOne,
  upsert,
} from "../support/contacts.ts";
import { message } from "../support/messages.ts";

/** A transactional message to an unsubscribed contact is sent like any other. */
async function assertSent(tester: Tester, email: string): Promise<void> {
  const { recipientDomain } = tester.settings.fixtures;
  if (!email.endsWith(`@${recipientDomain}`))
    throw new NotVerified("contactDomain and recipientDomain differ: contacts cannot be recipients.");
  const exchange = await requestOk(tester, "sendEmail", { body: message(tester, { to: [email] }) });
  assertProperty(exchange, "to", [email]);
  assertProperty(exchange, "suppressed", []);
}

/** The documented properties of a membership, except the wording of its status. */
const properties = [
  "list_id",
  "email",
  "status",
  "first_name",
  "last_name",
  "fields",
  "tags",
  "subscribed_at",
  "unsubscribed_at",
];

const propertiesOf = (one: Record<string, unknown>): unknown[] => properties.map((name) => one[name]);

/** A list of another account or a nonexistent list is rejected. */
async function assertListNotFound(tester: Tester, list: number): Promise<void> {
  const email = await addContact(tester);
  const body = { list_id: list };
  const exchange = await tester.request("unsubscribeContact", { path: { email }, body });
  assertError(exchange, 404, "not_found", "list_id");
  assertMembershipStatus(await lookUpContact(tester, email), "subscribed", listId(tester, "plain"));
}

/** Where the result of an unsubscribe shows: in its response, and in the contact record looked up after it. */
const views = [
  ["unsubscribed", "in the response"],
  ["after", "in the contact record"],
] as const;

const assertUnsubscribed = (exchange: Exchange, ...lists: readonly number[]): void => {
  for (const list of lists) assertMembershipStatus(exchange, "unsubscribed", list);
};

export const unsubscribing: Check[] = [
  check("UNSUB-4", "unsubscribing from one list ends that membership", [
    ...views.map(([view, title]) =>
      caseOf(unsubscribedFromOne, title, ({ list, [view]: exchange }) => assertUnsubscribed(exchange, list)),
    ),
    caseOf(pendingContact, "a pending membership", ({ unsubscribed, list }) =>
      assertUnsubscribed(unsubscribed, list),
    ),
    caseOf(contactInState("complained"), "a complained membership", ({ unsubscribed, list }) =>
      assertUnsubscribed(unsubscribed, list),
    ),
  ]),
  check(
    "UNSUB-5",
    "unsubscribing from one list leaves all others unchanged",
    views.map(([view, title]) =>
      caseOf(unsubscribedFromOne, title, ({ other, before, [view]: exchange }) => {
        const [then, now] = [membership(before, other), membership(exchange, other)];
        assertEqual(exchange, `the membership of list ${other}`, propertiesOf(now), propertiesOf(then));
      }),
    ),
  ),
  check("UNSUB-6", "an unsubscribe needs no list", [
    caseOf(unsubscribedFromAll, "", ({ unsubscribed }) => assertSuccess(unsubscribed)),
  ]),
  ...withNeeds(needsList, [
    check("UNSUB-7", "an unsubscribe can give a reason", [
      caseOf(unsubscribedFromAll, "from everything, without a reason", ({ unsubscribed }) =>
        assertSuccess(unsubscribed),
      ),
      ...[
        { title: "everything", core: true },
        { title: "one list", core: false },
      ].map(
        ({ title, core }): TestCase =>
          testCase(title, { core }, async (tester) => {
            const email = await addContact(tester);
            const list = title === "one list" && { list_id: listId(tester, "plain") };
            const body = { reason: "Too many letters.", ...list };
            await requestOk(tester, "unsubscribeContact", { path: { email }, body });
          }),
      ),
    ]),
    check("UNSUB-12", "a list that the account does not have is rejected with 404 not_found", [
      testCase("a list of another account", { core: true, needs: ["lists.otherAccount"] }, async (tester) =>
        assertListNotFound(tester, listId(tester, "otherAccount")),
      ),
      testCase("a nonexistent list", async (tester) => assertListNotFound(tester, unknownListId(tester))),
    ]),
  ]),
  check("UNSUB-10", "no request reverts an unsubscribe", [
    caseOf(
      unsubscribedFromAll,
      "from everything: adding the contact to the same and to another list",
      ({ final, lists, other }) => {
        assertUnsubscribed(final, ...lists);
        assertProperty(final, "marketing_blocked", true);
        const { lists: found } = bodyOf(final);
        const isBack = (found as { list_id?: unknown; status?: unknown }[]).some(
          ({ list_id, status }) => list_id === other && ["subscribed", "pending"].includes(String(status)),
        );
        assert(!isBack, final, { expected: `not subscribed to list ${other}`, found: format(found) });
      },
    ),
    caseOf(unsubscribedFromOne, "from one list: adding the contact again", ({ final, list }) =>
      assertUnsubscribed(final, list),
    ),
    testCase("from one list, then from another", { needs: needsTwoLists }, async (tester) => {
      const [list, other] = [listId(tester, "plain"), listId(tester, "second")];
      const email = await addContact(tester);
      await upsert(tester, email, other);
      await unsubscribe(tester, email, list);
      await unsubscribe(tester, email, other);
      assertUnsubscribed(await lookUpContact(tester, email), list, other);
    }),
  ]),
  check("UNSUB-1", "unsubscribing from everything ends every membership", [
    ...views.map(([view, title]) =>
      caseOf(unsubscribedFromAll, title, ({ lists, [view]: exchange }) =>
        assertUnsubscribed(exchange, ...lists),
      ),
    ),
    testCase("a membership that ended before", { needs: needsList }, async (tester) => {
      const email = await addContact(tester);
      const list = listId(tester, "plain");
      await unsubscribe(tester, email, list);
      await unsubscribe(tester, email, list);
      assertUnsubscribed(await unsubscribe(tester, email), list);
    }),
    caseOf(contactInState("cleaned"), "a cleaned membership", ({ unsubscribed, list }) =>
      assertUnsubscribed(unsubscribed, list),
    ),
  ]),
  check(
    "UNSUB-2",
    "after unsubscribing from everything, the contact gets no marketing email",
    [...views, ["final", "still after updates"] as const].map(([view, title]) =>
      caseOf(unsubscribedFromAll, title, ({ [view]: exchange }) =>
        assertProperty(exchange, "marketing_blocked", true),
      ),
    ),
  ),
  check(
    "UNSUB-3",
    "unsubscribing does not stop transactional email",
    { needs: ["recipientDomain", "domains.verified"] },
    [
      caseOf(unsubscribedFromAll, "everything", ({ email }, tester) => assertSent(tester, email)),
      caseOf(
        unsubscribedFromOne,
        "one list",
        {
          core: false,
        },
        ({ email }, tester) => assertSent(tester, email),
      ),
    ],
  ),
];
