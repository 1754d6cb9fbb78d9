import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { assertEqual, bodyOf, format, requestOk } from "../support/assertions.ts";
import { leftAllLists, leftOneList } from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  assertUnsubscribed,
  listId,
  lookUpContact,
  unsubscribe,
} from "../support/contacts.ts";
import { leavingEverything } from "./unsubscribe-all.ts";
import { leavingOne } from "./unsubscribe-list.ts";

const needs = ["lists.plain"] as const;
const two = ["lists.plain", "lists.second"] as const;

/** An response has what the record of a contact has. */
function assertContactRecord(exchange: Exchange, email: string): void {
  const { email: found, marketing_blocked, lists } = bodyOf(exchange);
  assertEqual(exchange, "email", found, email);
  assert(typeof marketing_blocked === "boolean" && Array.isArray(lists), exchange, {
    expected: "the record of a contact",
    found: format(bodyOf(exchange)),
  });
}

export const unsubscribing: Check[] = [
  ...leavingEverything,
  ...leavingOne,
  check("UNSUB-9", "the answer to leaving is the record of the contact", [
    testCase("everything", { core: true, needs }, async (tester) => {
      const { left, email } = await leftAllLists(tester);
      assertContactRecord(left, email);
    }),
    testCase("one list", { core: true, needs: two }, async (tester) => {
      const { left, email } = await leftOneList(tester);
      assertContactRecord(left, email);
    }),
  ]),
  check("UNSUB-10", "no call undoes an unsubscribe", [
    testCase(
      "from everything: a post to the list, and one to a further list",
      { core: true, needs },
      async (tester) => {
        const { atLast, lists, further } = await leftAllLists(tester);
        assertUnsubscribed(atLast, lists);
        assertEqual(atLast, "marketing_blocked", bodyOf(atLast).marketing_blocked, true);
        const { lists: found } = bodyOf(atLast);
        const isBack = (found as { list_id?: unknown; status?: unknown }[]).some(
          ({ list_id, status }) => list_id === further && ["subscribed", "pending"].includes(String(status)),
        );
        assert(!isBack, atLast, { expected: `no way onto list ${further}`, found: format(found) });
      },
    ),
    testCase("from one list: a post to it", { core: true, needs: two }, async (tester) => {
      const { atLast, list } = await leftOneList(tester);
      assertMembershipStatus(atLast, "unsubscribed", list);
    }),
    testCase("from one list, then from another", { needs: two }, async (tester) => {
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
