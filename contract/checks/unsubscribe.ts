import { document } from "../document.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, scenario } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, assertProperty, entriesIn, format, requestOk } from "../support/assertions.ts";
import {
  addContact,
  assertMembershipStatus,
  confirmedAfterLeaving,
  listId,
  lookUpContact,
  membership,
  needsList,
  needsTwoLists,
  newContact,
  unsubscribe,
  unsubscribedFromAll,
  unsubscribedFromOne,
  upsert,
} from "../support/contacts.ts";
import { message } from "../support/messages.ts";

/** A transactional message to an unsubscribed contact is sent like any other. */
async function assertSent({ email }: { email: string }, tester: Tester): Promise<void> {
  if (!email.endsWith(`@${tester.settings.fixtures.recipientDomain}`))
    throw new NotVerified("contactDomain and recipientDomain differ: contacts cannot be recipients.");
  const exchange = await requestOk(tester, "sendEmail", { body: message(tester, { to: [email] }) });
  assertProperty(exchange, "to", [email]);
  assertProperty(exchange, "suppressed", []);
}

/** The documented properties of a membership, except the wording of its status. */
const properties = Object.keys(document.components?.schemas?.Membership?.properties ?? {}).filter(
  (name) => name !== "status_description",
);

/** Where the result of an unsubscribe shows: in its response, and in the contact record looked up after it. */
const views = [
  ["unsubscribed", "in the response"],
  ["after", "in the contact record"],
] as const;

const assertUnsubscribed = (exchange: Exchange, ...lists: readonly number[]): void => {
  for (const list of lists) assertMembershipStatus(exchange, "unsubscribed", list);
};

const leftOneByOne = scenario("a contact that left all its lists", needsTwoLists, async (tester) => {
  const email = newContact(tester);
  const { doubleOptIn = [] } = tester.settings.fixtures.lists ?? {};
  const lists = [listId(tester, "plain"), listId(tester, "second")].concat(doubleOptIn);
  for (const one of lists) await upsert(tester, email, one);
  for (const one of lists) await unsubscribe(tester, email, one);
  return { email, lists };
});

/** Addresses that patterns, or rules of mail services, take for the same one. */
const similarTo = (email: string): string[] => [
  email.replace("_a", "xa"),
  email.replace("+news", ""),
  email.replace("a.b", "ab"),
  `x${email}`,
];

export const unsubscribing: Check[] = [
  check("UNSUB-4", "unsubscribing from one list ends that membership", [
    ...views.map(([view, title]) =>
      caseOf(unsubscribedFromOne, title, ({ list, [view]: exchange }) => assertUnsubscribed(exchange, list)),
    ),
  ]),
  check(
    "UNSUB-5",
    "unsubscribing from one list leaves all others unchanged",
    views.map(([view, title]) =>
      caseOf(unsubscribedFromOne, title, ({ other, before, [view]: exchange }) => {
        const [then, now] = [membership(before, other), membership(exchange, other)];
        for (const name of properties)
          assertEqual(exchange, `${name} on list ${other}, as before:`, now[name], then[name]);
      }),
    ),
  ),
  check("UNSUB-7", "an unsubscribe can give a reason, or none", { needs: needsList }, async (tester) => {
    for (const body of [{}, { reason: "Too many letters." }])
      await requestOk(tester, "unsubscribeContact", { path: { email: await addContact(tester) }, body });
  }),
  check("UNSUB-10", "no request reverts an unsubscribe", [
    caseOf(unsubscribedFromAll, "from everything: adding the contact again", ({ final, lists, other }) => {
      assertUnsubscribed(final, ...lists);
      assertProperty(final, "marketing_blocked", true);
      const found = entriesIn(final, "lists");
      const isBack = found.some(
        ({ list_id, status }) => list_id === other && ["subscribed", "pending"].includes(String(status)),
      );
      assert(!isBack, final, { expected: `not subscribed to list ${other}`, found: format(found) });
    }),
    caseOf(unsubscribedFromOne, "from one list: adding the contact again", ({ final, list }) =>
      assertUnsubscribed(final, list),
    ),
    caseOf(leftOneByOne, "from one list after the other", { core: false }, async ({ email, lists }, tester) =>
      assertUnsubscribed(await lookUpContact(tester, email), ...lists),
    ),
    caseOf(confirmedAfterLeaving, "from one list: confirmed on another", { core: false }, ({ found, left }) =>
      assertUnsubscribed(found, left),
    ),
  ]),
  check("UNSUB-1", "unsubscribing from everything ends every membership", [
    ...views.map(([view, title]) =>
      caseOf(unsubscribedFromAll, title, ({ lists, [view]: exchange }) =>
        assertUnsubscribed(exchange, ...lists),
      ),
    ),
  ]),
  check(
    ["UNSUB-1", "UNSUB-5"],
    "an unsubscribe leaves contacts with similar email addresses as they are",
    { needs: needsList, core: false, operation: "unsubscribeContact" },
    async (tester) => {
      const email = newContact(tester).replace("@", "_a.b+news@");
      const others = similarTo(email);
      const list = listId(tester, "plain");
      for (const one of [email, ...others]) await upsert(tester, one, list);
      await unsubscribe(tester, email, list);
      await unsubscribe(tester, email);
      for (const one of others) {
        const found = await lookUpContact(tester, one);
        const name = `the status of ${one} after unsubscribing ${email}`;
        assertEqual(found, name, membership(found, list).status, "subscribed");
        assertProperty(found, "marketing_blocked", false);
      }
    },
  ),
  check(
    ["UNSUB-2", "CONT-24"],
    "after unsubscribing from everything, the contact gets no marketing email, as marketing_blocked says",
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
      caseOf(unsubscribedFromAll, "everything", assertSent),
      caseOf(unsubscribedFromOne, "one list", { core: false }, assertSent),
      caseOf(leftOneByOne, "one list after the other", { core: false }, assertSent),
    ],
  ),
];
