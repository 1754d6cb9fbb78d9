import { configured } from "../engine/assert.ts";
import { type Check, caseOf, check, type Need, scenario, type TestCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { assertProperty, requestOk } from "../support/assertions.ts";
import {
  assertMembershipStatus,
  confirmContact,
  contactInState,
  listId,
  lookUpContact,
  needsList,
  needsOptInList,
  newContact,
  newDetails,
  unsubscribe,
  upsert,
} from "../support/contacts.ts";
import { newIdempotencyKey } from "../support/requests.ts";

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
