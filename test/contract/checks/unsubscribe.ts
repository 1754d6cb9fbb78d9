import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, bodyOf, format, requestOk } from "../support/assertions.ts";
import { leftAllLists, leftOneList } from "../support/contact-scenarios.ts";
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
import { leavingEverything } from "./unsubscribe-all.ts";
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

export const unsubscribing: Check[] = [
  ...leavingEverything,
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
];
