import { NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, bodyOf, requestOk } from "../support/assertions.ts";
import { contactInState, leftAllLists, leftOneList } from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  assertUnsubscribed,
  listId,
  needsList,
  needsTwoLists,
  unsubscribe,
} from "../support/contacts.ts";
import { message } from "../support/messages.ts";

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

export const leavingEverything: Check[] = [
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
