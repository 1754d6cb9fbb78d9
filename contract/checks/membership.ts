import { assert, configured } from "../engine/assert.ts";
import { type Check, caseOf, check, type Need, scenario, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { assertEqual, assertProperty, bodyOf, format, requestOk } from "../support/assertions.ts";
import {
  addContact,
  assertMembershipStatus,
  assertRecent,
  confirmContact,
  contactInCapitals,
  contactInState,
  contactWithDetails,
  contactWithFields,
  listId,
  lookUpContact,
  type Membership,
  membership,
  needsList,
  needsOptInList,
  newContact,
  newDetails,
  pendingContact,
  unsubscribe,
  unsubscribedFromAll,
  unsubscribedFromOne,
  upsert,
} from "../support/contacts.ts";
import { newIdempotencyKey } from "../support/requests.ts";

type DetailName = "first_name" | "last_name" | "fields" | "tags";

/** A contact added with the first details and updated with the second. */
interface Updated {
  list: number;
  first: Membership;
  second: Membership;
  added: Exchange;
  updated: Exchange;
  found: Exchange;
}

/** The membership after adding or updating the contact has what was sent under this name. */
const keptCase = (name: DetailName, which: "adding" | "updating", title: string): TestCase =>
  caseOf<Updated>(
    name === "fields" ? contactWithFields : contactWithDetails,
    title,
    ({ added, updated, found, list, first, second }) => {
      if (which === "adding") return assertSame(name, added, bodyOf(added), first);
      assertSame(name, updated, bodyOf(updated), second);
      assertSame(name, found, membership(found, list), second);
    },
  );

const keptCases = (name: DetailName): TestCase[] =>
  (["adding", "updating"] as const).map((which) => keptCase(name, which, `after ${which}`));

function assertSame(name: string, exchange: Exchange, found: Membership, sent: Membership): void {
  if (name === "fields" || name === "tags") assertIncludes(exchange, name, found[name], sent[name]);
  else assertEqual(exchange, name, found[name], sent[name]);
}

/** Cleared values are covered by another check. */
function assertIncludes(exchange: Exchange, name: string, found: unknown, sent: unknown): void {
  const has = (key: string, value: unknown): boolean =>
    Array.isArray(found)
      ? found.includes(value)
      : (found as Record<string, unknown> | null | undefined)?.[key] === value;
  const lost = Object.entries(sent as object).find(([key, value]) => value !== null && !has(key, value));
  assert(lost === undefined, exchange, {
    expected: `${name} including ${format(lost?.[1])}`,
    found: format(found),
  });
}

/** Whether two texts are the same time; one may have whole seconds only. */
function isSameTime(one = "", other = ""): boolean {
  const [first, second] = [Date.parse(one), Date.parse(other)];
  const isCoarse = first % 1000 === 0 || second % 1000 === 0;
  return first === second || (isCoarse && Math.abs(first - second) < 1000);
}

export const memberships: Check[] = [
  check("MEMB-1", "a membership has the id of its list", [
    caseOf(unsubscribedFromOne, "", ({ added, addedToOther, list, other }) => {
      assertProperty(added, "list_id", list);
      assertProperty(addedToOther, "list_id", other);
    }),
  ]),
  check(
    "MEMB-2",
    "a membership has the email address in lower case",
    (["added", "updated", "found"] as const).map((when) =>
      caseOf(contactInCapitals, when, ({ [when]: exchange, email, list }) => {
        const one = when === "found" ? membership(exchange, list) : bodyOf(exchange);
        assertEqual(exchange, "email", one.email, email);
      }),
    ),
  ),
  check("MEMB-2", "email addresses are compared without regard to case", [
    caseOf(contactInCapitals, "", ({ updated }) => assertEqual(updated, "status", updated.status, 200)),
  ]),
  check("MEMB-5", "a membership has the first name that was sent", keptCases("first_name")),
  check("MEMB-6", "a membership has the last name that was sent", keptCases("last_name")),
  check("MEMB-7", "a membership has the values of custom fields that were sent", keptCases("fields")),
  check("MEMB-8", "a membership has the tags that were sent", keptCases("tags")),
  check("MEMB-9", "a membership has the time it began", [
    caseOf(contactWithDetails, "on joining a list without double opt-in", ({ added }, tester) =>
      assertRecent(tester, added, "subscribed_at"),
    ),
    caseOf(pendingContact, "null before the confirmation", ({ added, found, list }) => {
      assertProperty(added, "subscribed_at", null);
      assertEqual(found, "subscribed_at", membership(found, list).subscribed_at, null);
    }),
    caseOf(contactWithDetails, "an update keeps it", ({ added, updated }) => {
      const [before, after] = [added, updated].map((one) => String(bodyOf(one).subscribed_at));
      assert(isSameTime(before, after), updated, {
        expected: `subscribed_at ${before}, as before`,
        found: format(after),
      });
    }),
    caseOf(
      pendingContact,
      "null if the contact unsubscribed before the confirmation",
      ({ unsubscribed, list }) =>
        assertEqual(unsubscribed, "subscribed_at", membership(unsubscribed, list).subscribed_at, null),
    ),
  ]),
  check("MEMB-10", "a membership has the time of the unsubscribe", [
    caseOf(contactWithDetails, "null before the unsubscribe", ({ added }) =>
      assertProperty(added, "unsubscribed_at", null),
    ),
    caseOf(unsubscribedFromOne, "after unsubscribing from one list", ({ unsubscribed, list }, tester) =>
      assertRecent(tester, unsubscribed, "unsubscribed_at", membership(unsubscribed, list)),
    ),
    caseOf(unsubscribedFromOne, "an update afterwards keeps it", ({ readded, final, list }, tester) => {
      assertRecent(tester, readded, "unsubscribed_at");
      assertRecent(tester, final, "unsubscribed_at", membership(final, list));
    }),
    caseOf(unsubscribedFromAll, "after unsubscribing from everything", ({ after, list }, tester) =>
      assertRecent(tester, after, "unsubscribed_at", membership(after, list)),
    ),
  ]),
  check(
    "MEMB-16",
    "updating a contact updates its names, fields and tags",
    (["first_name", "last_name", "fields", "tags"] as const).map((name) => keptCase(name, "updating", name)),
  ),
];

const hour = 3600;

const confirming = [...needsOptInList, "hooks.confirm"] as const;

/** A pending contact that has confirmed. */
const confirmedContact = scenario("a confirmed contact", confirming, async (tester) => {
  const list = listId(tester, "doubleOptIn");
  const email = await addContact(tester, {}, list);
  return { list, found: await confirmContact(tester, email, list) };
});

/**
 * The status on a further list after unsubscribing from everything is unspecified, except that it is neither of these.
 */
function assertNotSubscribed(exchange: Exchange): void {
  const { status } = bodyOf(exchange);
  const isBack = status === "subscribed" || status === "pending";
  assert(!isBack, exchange, { expected: "neither subscribed nor pending", found: format(status) });
}

export const membershipStates: Check[] = [
  check(["MEMB-11", "CONT-4"], "a contact of a list with double opt-in starts as pending", [
    caseOf(pendingContact, "in the response", ({ added }) => assertMembershipStatus(added, "pending")),
    caseOf(pendingContact, "in the contact record", ({ found, list }) =>
      assertMembershipStatus(found, "pending", list),
    ),
  ]),
  check("MEMB-13", "a contact of a list without double opt-in is subscribed immediately", [
    caseOf(contactWithDetails, "", ({ added, found, list }) => {
      assertMembershipStatus(added, "subscribed");
      assertMembershipStatus(found, "subscribed", list);
    }),
  ]),
  check("MEMB-15", "a pending contact that confirms becomes subscribed", [
    caseOf(confirmedContact, "status", ({ found, list }) =>
      assertMembershipStatus(found, "subscribed", list),
    ),
    caseOf(confirmedContact, "subscribed_at", ({ found, list }, tester) =>
      assertRecent(tester, found, "subscribed_at", membership(found, list)),
    ),
  ]),
  check(
    ["MEMB-9", "MEMB-15"],
    "subscribed_at is the time of the confirmation, not of the request",
    { core: false, tags: ["clock"], needs: [...confirming, "hooks.advanceClock"] },
    async (tester) => {
      const list = listId(tester, "doubleOptIn");
      const email = await addContact(tester, {}, list);
      await tester.hook("advanceClock", { seconds: 6 * hour });
      const confirmedAt = tester.run.now();
      await tester.hook("confirm", { email, list });
      const found = await lookUpContact(tester, email);
      const { subscribed_at } = membership(found, list);
      const hours = Math.abs(Date.parse(String(subscribed_at)) - confirmedAt) / 1000 / hour;
      assert(hours < 3, found, {
        expected: "the time of the confirmation in subscribed_at",
        found: `${format(subscribed_at)}, ${Math.round(hours)} hours off`,
      });
    },
  ),
  check("MEMB-16", "updating a contact keeps its status", [
    caseOf(contactWithDetails, "subscribed", ({ updated }) => assertMembershipStatus(updated, "subscribed")),
    caseOf(pendingContact, "pending", ({ updated }) => assertMembershipStatus(updated, "pending")),
  ]),
  check(
    ["MEMB-17", "CONT-4"],
    "an unsubscribed or complained contact is never subscribed again by a request",
    [
      caseOf(unsubscribedFromOne, "after unsubscribing from one list", ({ readded, final, list }) => {
        assertMembershipStatus(readded, "unsubscribed");
        assertMembershipStatus(final, "unsubscribed", list);
      }),
      caseOf(pendingContact, "after unsubscribing from a list with double opt-in", ({ readded }) =>
        assertMembershipStatus(readded, "unsubscribed"),
      ),
      caseOf(unsubscribedFromAll, "after unsubscribing from everything", ({ readded, final, list }) => {
        assertMembershipStatus(readded, "unsubscribed");
        assertMembershipStatus(final, "unsubscribed", list);
      }),
      caseOf(
        unsubscribedFromAll,
        "a further list, after unsubscribing from everything",
        { needs: ["lists.second"] },
        ({ addedToOther }) => addedToOther && assertNotSubscribed(addedToOther),
      ),
      testCase(
        "a further list with double opt-in, after unsubscribing from everything",
        { needs: ["lists.plain", "lists.doubleOptIn"] },
        async (tester) => {
          const email = await addContact(tester);
          await unsubscribe(tester, email);
          assertNotSubscribed(await upsert(tester, email, listId(tester, "doubleOptIn")));
        },
      ),
    ],
  ),
  check("MEMB-3", "a contact that complained has the status complained", [
    caseOf(contactInState("complained"), "", ({ found, list }) =>
      assertMembershipStatus(found, "complained", list),
    ),
  ]),
  check("MEMB-18", "a contact that was cleaned has the status cleaned", [
    caseOf(contactInState("cleaned"), "", ({ found, list }) =>
      assertMembershipStatus(found, "cleaned", list),
    ),
  ]),
];

/** The states that requests and the hook `confirm` lead to, and the status of a membership in each. */
const statusIn = {
  pending: "pending",
  subscribed: "subscribed",
  confirmed: "subscribed",
  unsubscribed: "unsubscribed",
  /** Unsubscribed from everything. */
  blocked: "unsubscribed",
} as const;

type State = keyof typeof statusIn;

const hasOptIn = (state: State): boolean => state === "pending" || state === "confirmed";

const needsOf = (state: State): Need[] => [
  ...needsList,
  ...(hasOptIn(state) ? needsOptInList : []),
  ...(state === "confirmed" ? (["hooks.confirm"] as const) : []),
];

/** A contact on a list, and a list that it is not on, if there is one. */
interface Subject {
  email: string;
  list: number;
  other: number | undefined;
  /** The request that added it. */
  added: RequestOptions;
}

async function contactIn(tester: Tester, state: State): Promise<Subject> {
  const plain = listId(tester, "plain");
  const { second } = tester.settings.fixtures.lists ?? {};
  const [list, other] = hasOptIn(state) ? [listId(tester, "doubleOptIn"), plain] : [plain, second];
  const email = newContact(tester);
  const added = { body: { email, list_id: list }, headers: newIdempotencyKey(tester) };
  await requestOk(tester, "upsertContact", added);
  if (state === "confirmed") await confirmContact(tester, email, list);
  if (state === "unsubscribed") await unsubscribe(tester, email, list);
  if (state === "blocked") await unsubscribe(tester, email);
  return { email, list, other, added };
}

/** Requests that leave the membership's status as it is, in this order. */
const writes = {
  "an update": (tester, { email, list }) => upsert(tester, email, list, newDetails(tester)),
  "an update with an idempotency key": (tester, { email, list }) =>
    requestOk(tester, "upsertContact", {
      body: { email, list_id: list },
      headers: newIdempotencyKey(tester),
    }),
  "an update in upper case": (tester, { email, list }) => upsert(tester, email.toUpperCase(), list),
  "a replay of the first request": (tester, { added }) => requestOk(tester, "upsertContact", added),
  "an update on another list": (tester, { email, other }) =>
    upsert(tester, email, configured(other, "lists.second")),
  "an unsubscribe from another list": (tester, { email, other }) =>
    unsubscribe(tester, email, configured(other, "lists.second")),
} satisfies Record<string, (tester: Tester, subject: Subject) => Promise<Exchange>>;

type WriteName = keyof typeof writes;

const isElsewhere = (name: WriteName): boolean => name.endsWith("another list");

/** A contact in a state, and what each of the requests leads to: its response, and the contact record after it. */
const writesIn = (state: State) =>
  scenario(`further requests for a ${state} contact`, needsOf(state), async (tester) => {
    const subject = await contactIn(tester, state);
    const written = {} as Record<WriteName, { response: Exchange; after: Exchange }>;
    for (const name of Object.keys(writes) as WriteName[]) {
      if (isElsewhere(name) && subject.other === undefined) continue;
      const response = await writes[name](tester, subject);
      written[name] = { response, after: await lookUpContact(tester, subject.email) };
    }
    return { list: subject.list, written };
  });

/** A contact in a state that is unsubscribed from its list or from everything, with a reason. */
const unsubscribedIn = (state: State, from: "list" | "everything") =>
  scenario(`a ${state} contact unsubscribed from ${from}`, needsOf(state), async (tester) => {
    const { email, list } = await contactIn(tester, state);
    const body = { ...(from === "list" && { list_id: list }), reason: "Asked for it by phone." };
    const response = await requestOk(tester, "unsubscribeContact", { path: { email }, body });
    return { list, response, after: await lookUpContact(tester, email) };
  });

/** The configured contact in a state that no request reaches, after it is unsubscribed, and after another update. */
const unsubscribedFromState = (state: "cleaned" | "complained") => {
  const inState = contactInState(state);
  return scenario(`the unsubscribed ${state} contact`, inState.needs, async (tester) => {
    const { email, list, unsubscribed } = await inState(tester);
    const after = await lookUpContact(tester, email);
    await upsert(tester, email, list, newDetails(tester));
    return { list, unsubscribed, after, final: await lookUpContact(tester, email) };
  });
};

/** Writes that leave a membership in its state, whatever their response says about another one. */
const stateCases = (
  states: readonly State[],
  names: readonly WriteName[],
  assertResponse: (response: Exchange, status: string, list: number) => void = () => {},
): TestCase[] =>
  states.flatMap((state) =>
    names.map((name) =>
      caseOf(
        writesIn(state),
        `${state}, ${name}`,
        { core: false, needs: isElsewhere(name) && !hasOptIn(state) ? ["lists.second"] : [] },
        ({ list, written }) => {
          const { response, after } = written[name];
          assertResponse(response, statusIn[state], list);
          assertMembershipStatus(after, statusIn[state], list);
        },
      ),
    ),
  );

const updateCases = (states: readonly State[]): TestCase[] => [
  // The response shows the same membership.
  ...stateCases(
    states,
    ["an update", "an update with an idempotency key", "an update in upper case"],
    (response, status) => assertMembershipStatus(response, status),
  ),
  ...stateCases(states, ["a replay of the first request", "an update on another list"]),
];

/** An unsubscribe ends a membership, in these states too, or it has ended before. */
const leavingCases = (from: "list" | "everything"): TestCase[] =>
  (["pending", "confirmed", "unsubscribed", "blocked"] as const).map((state) =>
    caseOf(
      unsubscribedIn(state, from),
      `${state}, unsubscribed from ${from === "list" ? "the list" : from}`,
      { core: false },
      ({ list, response, after }) => {
        for (const exchange of [response, after]) assertMembershipStatus(exchange, "unsubscribed", list);
      },
    ),
  );

/** An update leaves the state, which no request reaches, as it is. */
const fixtureUpdate = (state: "cleaned" | "complained"): TestCase =>
  caseOf(contactInState(state), `${state}, an update`, ({ list, updated, afterUpdate }) => {
    assertMembershipStatus(updated, state);
    assertMembershipStatus(afterUpdate, state, list);
  });

/** The membership has ended, and stays so. */
const fixtureLeaving = (
  state: "cleaned" | "complained",
  title: string,
  ...views: ("unsubscribed" | "after" | "final")[]
): TestCase =>
  caseOf(unsubscribedFromState(state), `${state}, ${title}`, { core: false }, (found) => {
    for (const view of views) assertMembershipStatus(found[view], "unsubscribed", found.list);
  });

/** Further requests for contacts in every state, each followed by a lookup. */
export const membershipWrites: Check[] = [
  check("MEMB-16", "no further request to add a contact changes its status", [
    ...updateCases(["pending", "subscribed", "confirmed"]),
    fixtureUpdate("cleaned"),
  ]),
  check("MEMB-17", "no further request to add a contact subscribes one who unsubscribed or complained", [
    ...updateCases(["unsubscribed", "blocked"]),
    fixtureUpdate("complained"),
    fixtureLeaving("complained", "an update after the unsubscribe", "final"),
    fixtureLeaving("cleaned", "an update after the unsubscribe", "final"),
  ]),
  check(
    "UNSUB-5",
    "unsubscribing from another list leaves a membership in its state",
    stateCases(
      ["pending", "subscribed", "confirmed", "unsubscribed", "blocked"],
      ["an unsubscribe from another list"],
      (response, status, list) => assertMembershipStatus(response, status, list),
    ),
  ),
  check("UNSUB-4", "unsubscribing from one list ends a membership in any state", [
    ...leavingCases("list"),
    fixtureLeaving("complained", "unsubscribed from the list", "unsubscribed", "after"),
  ]),
  check("UNSUB-1", "unsubscribing from everything ends a membership in any state", [
    ...leavingCases("everything"),
    fixtureLeaving("cleaned", "unsubscribed from everything", "unsubscribed", "after"),
  ]),
  check(
    "UNSUB-2",
    "no further request lets marketing email reach a contact who unsubscribed from everything",
    [
      ...(["list", "everything"] as const).map((from) =>
        caseOf(
          unsubscribedIn("blocked", from),
          `blocked, unsubscribed again from ${from === "list" ? "a list" : from}`,
          { core: false },
          ({ response, after }) => {
            for (const exchange of [response, after]) assertProperty(exchange, "marketing_blocked", true);
          },
        ),
      ),
      caseOf(writesIn("blocked"), "blocked, updated and replayed", { core: false }, ({ written }) => {
        for (const { after } of Object.values(written)) assertProperty(after, "marketing_blocked", true);
      }),
    ],
  ),
];
