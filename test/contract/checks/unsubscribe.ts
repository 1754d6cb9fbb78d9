import { assert } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { leftAll, leftOne } from "./contact-lives.ts";
import { addContact, assertEqual, bodyOf, format, requestOk } from "./kit.ts";
import { leavingEverything } from "./leaving-everything.ts";
import { leavingOne } from "./leaving-one.ts";
import { hasStatus, isOver, leave, listOf, lookUp } from "./newsletter.ts";

const needs = ["lists.plain"] as const;
const two = ["lists.plain", "lists.second"] as const;

/** An answer has what the record of a contact has. */
function isRecord(exchange: Exchange, email: string): void {
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
    {
      title: "everything",
      core: true,
      needs,
      run: async (tester) => {
        const { left, email } = await leftAll(tester);
        isRecord(left, email);
      },
    },
    {
      title: "one list",
      core: true,
      needs: two,
      run: async (tester) => {
        const { left, email } = await leftOne(tester);
        isRecord(left, email);
      },
    },
  ]),
  check("UNSUB-10", "no call undoes an unsubscribe", [
    {
      title: "from everything: a post to the list, and one to a further list",
      core: true,
      needs,
      run: async (tester) => {
        const { atLast, lists, further } = await leftAll(tester);
        isOver(atLast, lists);
        assertEqual(atLast, "marketing_blocked", bodyOf(atLast).marketing_blocked, true);
        const { lists: found } = bodyOf(atLast);
        const isBack = (found as { list_id?: unknown; status?: unknown }[]).some(
          ({ list_id, status }) => list_id === further && ["subscribed", "pending"].includes(String(status)),
        );
        assert(!isBack, atLast, { expected: `no way onto list ${further}`, found: format(found) });
      },
    },
    {
      title: "from one list: a post to it",
      core: true,
      needs: two,
      run: async (tester) => {
        const { atLast, list } = await leftOne(tester);
        hasStatus(atLast, "unsubscribed", list);
      },
    },
    {
      title: "from one list, then from another",
      needs: two,
      run: async (tester) => {
        const [list, other] = [listOf(tester, "plain"), listOf(tester, "second")];
        const email = await addContact(tester);
        await requestOk(tester, "upsertContact", { body: { email, list_id: other } });
        await leave(tester, email, list);
        await leave(tester, email, other);
        const exchange = await lookUp(tester, email);
        isOver(exchange, [list, other]);
      },
    },
  ]),
];
