import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, assertError, assertSuccess, bodyOf, format, requestOk } from "../support/assertions.ts";
import {
  contactInState,
  pendingContact,
  titleOfView,
  unsubscribedFromAll,
  unsubscribedFromOne,
  views,
} from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  assertUnsubscribed,
  listId,
  lookUpContact,
  membership,
  needsList,
  needsTwoLists,
  unknownListId,
  unsubscribe,
} from "../support/contacts.ts";
import { message } from "../support/messages.ts";

/** Asserts that the response is a contact record. */
function assertContactRecord(exchange: Exchange, email: string): void {
  const { email: found, marketing_blocked, lists } = bodyOf(exchange);
  assertEqual(exchange, "email", found, email);
  assert(typeof marketing_blocked === "boolean" && Array.isArray(lists), exchange, {
    expected: "a contact record",
    found: format(bodyOf(exchange)),
  });
}

/** A transactional message to an unsubscribed contact is sent like any other. */
async function assertSent(tester: Tester, email: string): Promise<void> {
  const { recipientDomain } = tester.settings.fixtures;
  if (!email.endsWith(`@${recipientDomain}`))
    throw new NotVerified("contactDomain and recipientDomain differ: contacts cannot be recipients.");
  const exchange = await requestOk(tester, "sendEmail", { body: message(tester, { to: [email] }) });
  const { to, suppressed } = bodyOf(exchange);
  assertEqual(exchange, "to", to, [email]);
  assertEqual(exchange, "suppressed", suppressed, []);
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

const leavingOne: Check[] = [
  check("UNSUB-4", "unsubscribing from one list ends that membership", [
    ...views.map(
      (which): TestCase =>
        testCase(titleOfView[which], { core: true, needs: needsTwoLists }, async (tester) => {
          const { list, [which]: exchange } = await unsubscribedFromOne(tester);
          assertMembershipStatus(exchange, "unsubscribed", list);
        }),
    ),
    testCase("a pending membership", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { unsubscribed, list } = await pendingContact(tester);
      assertMembershipStatus(unsubscribed, "unsubscribed", list);
    }),
    testCase("a complained membership", { core: true, needs: ["contacts.complained"] }, async (tester) => {
      const { unsubscribed, list } = await contactInState(tester, "complained");
      assertMembershipStatus(unsubscribed, "unsubscribed", list);
    }),
  ]),
  ...withNeeds(needsList, [
    check(
      "UNSUB-5",
      "unsubscribing from one list leaves all others unchanged",
      { needs: ["lists.second"] },
      views.map((which) =>
        testCase(titleOfView[which], { core: true }, async (tester) => {
          const { other, before, [which]: exchange } = await unsubscribedFromOne(tester);
          const [then, now] = [membership(before, other), membership(exchange, other)];
          assertEqual(exchange, `the membership of list ${other}`, propertiesOf(now), propertiesOf(then));
        }),
      ),
    ),
    check("UNSUB-6", "an unsubscribe needs no list", async (tester) => {
      const { unsubscribed } = await unsubscribedFromAll(tester);
      assertSuccess(unsubscribed);
    }),
    check("UNSUB-7", "an unsubscribe can give a reason", [
      testCase("from everything, without a reason", { core: true }, async (tester) =>
        assertSuccess((await unsubscribedFromAll(tester)).unsubscribed),
      ),
      ...[
        { title: "everything", core: true, list: undefined },
        { title: "one list", core: false, list: "plain" as const },
      ].map(
        ({ title, core, list }): TestCase =>
          testCase(title, { core }, async (tester) => {
            const email = await addContact(tester);
            const body = { reason: "Too many letters.", ...(list && { list_id: listId(tester, list) }) };
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
];

export const unsubscribing: Check[] = [
  ...leavingOne,
  check("UNSUB-9", "the response to an unsubscribe is the contact record", [
    testCase("everything", { core: true, needs: needsList }, async (tester) => {
      const { unsubscribed, email } = await unsubscribedFromAll(tester);
      assertContactRecord(unsubscribed, email);
    }),
    testCase("one list", { core: true, needs: needsTwoLists }, async (tester) => {
      const { unsubscribed, email } = await unsubscribedFromOne(tester);
      assertContactRecord(unsubscribed, email);
    }),
  ]),
  check("UNSUB-10", "no request reverts an unsubscribe", [
    testCase(
      "from everything: adding the contact to the same and to another list",
      { core: true, needs: needsList },
      async (tester) => {
        const { final, lists, other } = await unsubscribedFromAll(tester);
        assertUnsubscribed(final, lists);
        assertEqual(final, "marketing_blocked", bodyOf(final).marketing_blocked, true);
        const { lists: found } = bodyOf(final);
        const isBack = (found as { list_id?: unknown; status?: unknown }[]).some(
          ({ list_id, status }) => list_id === other && ["subscribed", "pending"].includes(String(status)),
        );
        assert(!isBack, final, { expected: `not subscribed to list ${other}`, found: format(found) });
      },
    ),
    testCase(
      "from one list: adding the contact again",
      { core: true, needs: needsTwoLists },
      async (tester) => {
        const { final, list } = await unsubscribedFromOne(tester);
        assertMembershipStatus(final, "unsubscribed", list);
      },
    ),
    testCase("from one list, then from another", { needs: needsTwoLists }, async (tester) => {
      const [list, other] = [listId(tester, "plain"), listId(tester, "second")];
      const email = await addContact(tester);
      await requestOk(tester, "upsertContact", { body: { email, list_id: other } });
      await unsubscribe(tester, email, list);
      await unsubscribe(tester, email, other);
      const exchange = await lookUpContact(tester, email);
      assertUnsubscribed(exchange, [list, other]);
    }),
  ]),
  check("UNSUB-1", "unsubscribing from everything ends every membership", [
    ...views.map((which) =>
      testCase(titleOfView[which], { core: true, needs: needsList }, async (tester: Tester) => {
        const { lists, [which]: exchange } = await unsubscribedFromAll(tester);
        assertUnsubscribed(exchange, lists);
      }),
    ),
    testCase("a membership that ended before", { needs: needsList }, async (tester) => {
      const email = await addContact(tester);
      const list = listId(tester, "plain");
      await unsubscribe(tester, email, list);
      await unsubscribe(tester, email, list);
      assertUnsubscribed(await unsubscribe(tester, email), [list]);
    }),
    testCase("a cleaned membership", { core: true, needs: ["contacts.cleaned"] }, async (tester) => {
      const { unsubscribed, list } = await contactInState(tester, "cleaned");
      assertMembershipStatus(unsubscribed, "unsubscribed", list);
    }),
  ]),
  check(
    "UNSUB-2",
    "after unsubscribing from everything, the contact gets no marketing email",
    { needs: needsList },
    ([...views, "final"] as const).map((which) =>
      testCase({ ...titleOfView, final: "still after updates" }[which], { core: true }, async (tester) => {
        const { [which]: exchange } = await unsubscribedFromAll(tester);
        assertEqual(exchange, "marketing_blocked", bodyOf(exchange).marketing_blocked, true);
      }),
    ),
  ),
  check(
    "UNSUB-3",
    "unsubscribing does not stop transactional email",
    { needs: ["recipientDomain", "domains.verified"] },
    [
      testCase("everything", { core: true, needs: needsList }, async (tester) =>
        assertSent(tester, (await unsubscribedFromAll(tester)).email),
      ),
      testCase("one list", { needs: needsTwoLists }, async (tester) =>
        assertSent(tester, (await unsubscribedFromOne(tester)).email),
      ),
    ],
  ),
];
