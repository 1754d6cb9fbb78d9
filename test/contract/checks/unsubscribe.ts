import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, bodyOf, format, requestOk } from "../support/assertions.ts";
import { contactInState, leftAllLists, leftOneList } from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  assertUnsubscribed,
  listId,
  lookUpContact,
  needsList,
  needsTwoLists,
  unsubscribe,
} from "../support/contacts.ts";
import { message } from "../support/messages.ts";
import { leavingOne } from "./unsubscribe-list.ts";

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

/** In the response to the unsubscribe, and in the contact record afterwards. */
const responses = ["left", "after"] as const;

export const unsubscribing: Check[] = [
  ...leavingOne,
  check("UNSUB-9", "the response to an unsubscribe is the contact record", [
    testCase("everything", { core: true, needs: needsList }, async (tester) => {
      const { left, email } = await leftAllLists(tester);
      assertContactRecord(left, email);
    }),
    testCase("one list", { core: true, needs: needsTwoLists }, async (tester) => {
      const { left, email } = await leftOneList(tester);
      assertContactRecord(left, email);
    }),
  ]),
  check("UNSUB-10", "no request reverts an unsubscribe", [
    testCase(
      "from everything: adding the contact to the same and to another list",
      { core: true, needs: needsList },
      async (tester) => {
        const { atLast, lists, further } = await leftAllLists(tester);
        assertUnsubscribed(atLast, lists);
        assertEqual(atLast, "marketing_blocked", bodyOf(atLast).marketing_blocked, true);
        const { lists: found } = bodyOf(atLast);
        const isBack = (found as { list_id?: unknown; status?: unknown }[]).some(
          ({ list_id, status }) => list_id === further && ["subscribed", "pending"].includes(String(status)),
        );
        assert(!isBack, atLast, { expected: `not subscribed to list ${further}`, found: format(found) });
      },
    ),
    testCase(
      "from one list: adding the contact again",
      { core: true, needs: needsTwoLists },
      async (tester) => {
        const { atLast, list } = await leftOneList(tester);
        assertMembershipStatus(atLast, "unsubscribed", list);
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
    ...responses.map((which) =>
      testCase(
        which === "left" ? "in the response" : "in the contact record",
        { core: true, needs: needsList },
        async (tester: Tester) => {
          const { lists, [which]: exchange } = await leftAllLists(tester);
          assertUnsubscribed(exchange, lists);
        },
      ),
    ),
    testCase("a membership that ended before", { needs: needsList }, async (tester) => {
      const email = await addContact(tester);
      const list = listId(tester, "plain");
      await unsubscribe(tester, email, list);
      await unsubscribe(tester, email, list);
      assertUnsubscribed(await unsubscribe(tester, email), [list]);
    }),
    testCase("a cleaned membership", { core: true, needs: ["contacts.cleaned"] }, async (tester) => {
      const { left, list } = await contactInState(tester, "cleaned");
      assertMembershipStatus(left, "unsubscribed", list);
    }),
  ]),
  check(
    "UNSUB-2",
    "after unsubscribing from everything, the contact gets no marketing email",
    ([...responses, "atLast"] as const).map((which) =>
      testCase(
        { left: "in the response", after: "in the contact record", atLast: "still after updates" }[which],
        { core: true },
        async (tester) => {
          const { [which]: exchange } = await leftAllLists(tester);
          assertEqual(exchange, "marketing_blocked", bodyOf(exchange).marketing_blocked, true);
        },
      ),
    ),
    { needs: needsList },
  ),
  check(
    "UNSUB-3",
    "unsubscribing does not stop transactional email",
    [
      testCase("everything", { core: true, needs: needsList }, async (tester) =>
        assertSent(tester, (await leftAllLists(tester)).email),
      ),
      testCase("one list", { needs: needsTwoLists }, async (tester) =>
        assertSent(tester, (await leftOneList(tester)).email),
      ),
    ],
    { needs: ["recipientDomain", "domains.verified"] },
  ),
];
