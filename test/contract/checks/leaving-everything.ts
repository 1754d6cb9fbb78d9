import { NotVerified } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { inState, leftAll, leftOne } from "./contact-lives.ts";
import { addContact, assertEqual, bodyOf, message, requestOk } from "./kit.ts";
import { hasStatus, isOver, leave, listOf } from "./newsletter.ts";

const needs = ["lists.plain"] as const;
const two = ["lists.plain", "lists.second"] as const;

/** A message to somebody who unsubscribed is sent like any other. */
async function isSent(tester: Tester, email: string): Promise<void> {
  const { recipientDomain } = tester.settings.fixtures;
  if (!email.endsWith(`@${recipientDomain}`))
    throw new NotVerified("Contacts are not at recipientDomain: contactDomain must be the same.");
  const exchange = await requestOk(tester, "sendEmail", { body: message(tester, { to: [email] }) });
  const { to, suppressed } = bodyOf(exchange);
  assertEqual(exchange, "to", to, [email]);
  assertEqual(exchange, "suppressed", suppressed, []);
}

/** In the answer to leaving, and looked up after it. */
const answers = ["left", "after"] as const;

export const leavingEverything: Check[] = [
  check("UNSUB-1", "leaving everything ends every membership", [
    ...answers.map((which) => ({
      title: which === "left" ? "in the answer" : "looked up",
      core: true,
      needs,
      run: async (tester: Tester) => {
        const { lists, [which]: exchange } = await leftAll(tester);
        isOver(exchange, lists);
      },
    })),
    {
      title: "one that was over before",
      needs,
      run: async (tester) => {
        const email = await addContact(tester);
        const list = listOf(tester, "plain");
        await leave(tester, email, list);
        await leave(tester, email, list);
        isOver(await leave(tester, email), [list]);
      },
    },
    {
      title: "one that is cleaned",
      core: true,
      needs: ["contacts.cleaned"],
      run: async (tester) => {
        const { left, list } = await inState(tester, "cleaned");
        hasStatus(left, "unsubscribed", list);
      },
    },
  ]),
  check(
    "UNSUB-2",
    "after leaving everything no marketing e-mail reaches the contact",
    ([...answers, "atLast"] as const).map((which) => ({
      title: { left: "in the answer", after: "looked up", atLast: "still so after posts" }[which],
      core: true,
      run: async (tester) => {
        const { [which]: exchange } = await leftAll(tester);
        assertEqual(exchange, "marketing_blocked", bodyOf(exchange).marketing_blocked, true);
      },
    })),
    { needs },
  ),
  check(
    "UNSUB-3",
    "leaving does not stop transactional e-mail",
    [
      {
        title: "everything",
        core: true,
        needs,
        run: async (tester) => isSent(tester, (await leftAll(tester)).email),
      },
      { title: "one list", needs: two, run: async (tester) => isSent(tester, (await leftOne(tester)).email) },
    ],
    { needs: ["recipientDomain", "domains.verified"] },
  ),
];
