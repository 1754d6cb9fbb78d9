import { type Check, check } from "../engine/check.ts";
import { NotVerified } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { inState, leftAll, leftOne } from "./contact-lives.ts";
import { addContact, equal, good, message, objectIn } from "./kit.ts";
import { hasStatus, isOver, leave, listOf } from "./newsletter.ts";

const needs = ["lists.plain"] as const;
const two = ["lists.plain", "lists.second"] as const;

/** A message to somebody who unsubscribed is sent like any other. */
async function isSent(tester: Tester, email: string): Promise<void> {
  const { recipientDomain } = tester.settings.fixtures;
  if (!email.endsWith(`@${recipientDomain}`))
    throw new NotVerified("Contacts are not at recipientDomain: contactDomain must be the same.");
  const exchange = await good(tester, "sendEmail", { body: message(tester, { to: [email] }) });
  const { to, suppressed } = objectIn(exchange);
  equal(exchange, "to", to, [email]);
  equal(exchange, "suppressed", suppressed, []);
}

/** In the answer to leaving, and looked up after it. */
const answers = ["left", "after"] as const;

export const leavingEverything: Check[] = [
  check("UNSUB-1", "leaving everything ends every membership", {}, [
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
    { needs },
    ([...answers, "atLast"] as const).map((which) => ({
      title: { left: "in the answer", after: "looked up", atLast: "still so after posts" }[which],
      core: true,
      run: async (tester) => {
        const { [which]: exchange } = await leftAll(tester);
        equal(exchange, "marketing_blocked", objectIn(exchange).marketing_blocked, true);
      },
    })),
  ),
  check(
    "UNSUB-3",
    "leaving does not stop transactional e-mail",
    { needs: ["recipientDomain", "domains.verified"] },
    [
      {
        title: "everything",
        core: true,
        needs,
        run: async (tester) => isSent(tester, (await leftAll(tester)).email),
      },
      { title: "one list", needs: two, run: async (tester) => isSent(tester, (await leftOne(tester)).email) },
    ],
  ),
];
