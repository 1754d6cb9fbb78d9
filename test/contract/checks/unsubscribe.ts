import { type Check, check, type Trial } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { must, NotVerified } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { addContact, equal, good, message, objectIn, refused, shown, succeeded } from "./kit.ts";
import {
  hasStatus,
  inState,
  leave,
  leftAll,
  leftOne,
  listOf,
  lookUp,
  membership,
  noList,
  pending,
} from "./newsletter.ts";

const needs = ["lists.plain"] as const;
const two = ["lists.plain", "lists.second"] as const;

/** What the document says of a membership, but for the wording of its status. */
const parts = [
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
const partsOf = (one: Record<string, unknown>): unknown[] => parts.map((name) => one[name]);

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

/** A list that this account does not have: one of another account, or none at all. */
async function isUnknown(tester: Tester, list: number): Promise<void> {
  const email = await addContact(tester);
  const body = { list_id: list };
  refused(await tester.ask("unsubscribeContact", { part: email, body }), 404, "not_found");
  hasStatus(await lookUp(tester, email), "subscribed", listOf(tester, "plain"));
}

/** Every membership in a contact record is over. */
function isOver(exchange: Exchange, lists: readonly number[]): void {
  for (const list of lists) hasStatus(exchange, "unsubscribed", list);
}

/** In the answer to leaving, and looked up after it. */
const answers = ["left", "after"] as const;

const everything: Check[] = [
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

const oneList: Check[] = [
  check("UNSUB-4", "leaving one list ends the membership of it", {}, [
    ...answers.map(
      (which): Trial => ({
        title: which === "left" ? "in the answer" : "looked up",
        core: true,
        needs: two,
        run: async (tester) => {
          const { list, [which]: exchange } = await leftOne(tester);
          hasStatus(exchange, "unsubscribed", list);
        },
      }),
    ),
    {
      title: "a pending one",
      core: true,
      needs: ["lists.doubleOptIn"],
      run: async (tester) => {
        const { left, list } = await pending(tester);
        hasStatus(left, "unsubscribed", list);
      },
    },
    {
      title: "one that complained",
      core: true,
      needs: ["contacts.complained"],
      run: async (tester) => {
        const { left, list } = await inState(tester, "complained");
        hasStatus(left, "unsubscribed", list);
      },
    },
  ]),
  check(
    "UNSUB-5",
    "leaving one list leaves all others as they were",
    { needs: two },
    answers.map((which) => ({
      title: which === "left" ? "in the answer" : "looked up",
      core: true,
      run: async (tester) => {
        const { other, before, [which]: exchange } = await leftOne(tester);
        const [then, now] = [membership(before, other), membership(exchange, other)];
        equal(exchange, `the membership of list ${other}`, partsOf(now), partsOf(then));
      },
    })),
  ),
  check("UNSUB-6", "leaving needs no list", { needs }, async (tester) => {
    const { left } = await leftAll(tester);
    succeeded(left);
  }),
  check("UNSUB-7", "leaving may say why", { needs }, [
    {
      title: "everything, without saying",
      core: true,
      run: async (tester) => succeeded((await leftAll(tester)).left),
    },
    ...[
      { title: "everything", core: true, list: undefined },
      { title: "one list", core: false, list: "plain" as const },
    ].map(
      ({ title, core, list }): Trial => ({
        title,
        core,
        run: async (tester) => {
          const part = await addContact(tester);
          const body = { reason: "Too many letters.", ...(list && { list_id: listOf(tester, list) }) };
          await good(tester, "unsubscribeContact", { part, body });
        },
      }),
    ),
  ]),
  check("UNSUB-12", "a list that this account does not have is not found", { needs }, [
    {
      title: "a list of another account",
      core: true,
      needs: ["lists.otherAccount"],
      run: async (tester) => isUnknown(tester, listOf(tester, "otherAccount")),
    },
    { title: "no list at all", run: async (tester) => isUnknown(tester, noList(tester)) },
  ]),
];

/** An answer has what the record of a contact has. */
function isRecord(exchange: Exchange, email: string): void {
  const { email: found, marketing_blocked, lists } = objectIn(exchange);
  equal(exchange, "email", found, email);
  must(typeof marketing_blocked === "boolean" && Array.isArray(lists), exchange, {
    expected: "the record of a contact",
    found: shown(objectIn(exchange)),
  });
}

export const unsubscribing: Check[] = [
  ...everything,
  ...oneList,
  check("UNSUB-9", "the answer to leaving is the record of the contact", {}, [
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
  check("UNSUB-10", "no call undoes an unsubscribe", {}, [
    {
      title: "from everything: a post to the list, and one to a further list",
      core: true,
      needs,
      run: async (tester) => {
        const { atLast, lists, further } = await leftAll(tester);
        isOver(atLast, lists);
        equal(atLast, "marketing_blocked", objectIn(atLast).marketing_blocked, true);
        const { lists: found } = objectIn(atLast);
        const isBack = (found as { list_id?: unknown; status?: unknown }[]).some(
          ({ list_id, status }) => list_id === further && ["subscribed", "pending"].includes(String(status)),
        );
        must(!isBack, atLast, { expected: `no way onto list ${further}`, found: shown(found) });
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
        await good(tester, "upsertContact", { body: { email, list_id: other } });
        await leave(tester, email, list);
        await leave(tester, email, other);
        const exchange = await lookUp(tester, email);
        isOver(exchange, [list, other]);
      },
    },
  ]),
];
