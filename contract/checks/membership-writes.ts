import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, bodyOf } from "../support/assertions.ts";
import {
  contactInState,
  type MembershipWrite,
  type ReachableState,
  statusIn,
  unsubscribedFromState,
  unsubscribedIn,
  writesIn,
} from "../support/contact-scenarios.ts";
import { assertMembershipStatus, needsOptInList, needsTwoLists } from "../support/contacts.ts";

const needsOf = (state: ReachableState): Need[] => [
  ...needsTwoLists,
  ...(state === "pending" || state === "confirmed" ? needsOptInList : []),
  ...(state === "confirmed" ? (["hooks.confirm"] as const) : []),
];

const stateCase = (
  state: ReachableState,
  title: string,
  run: (tester: Tester) => Promise<unknown>,
): TestCase => testCase(`${state}, ${title}`, { core: false, needs: needsOf(state) }, run);

/** Requests whose response shows the same membership. */
const updates = ["an update", "an update with an idempotency key", "an update in upper case"] as const;
const others = ["a replay of the first request", "an update on another list"] as const;

/** Writes that leave a membership in its state, whatever their response says about another one. */
const keptCases = (
  states: readonly ReachableState[],
  writes: readonly MembershipWrite[],
  assertResponse: (response: Exchange, status: string, list: number) => void = () => {},
): TestCase[] =>
  states.flatMap((state) =>
    writes.map((write) =>
      stateCase(state, write, async (tester) => {
        const { list, written } = await writesIn(tester, state);
        const { response, after } = written[write];
        assertResponse(response, statusIn[state], list);
        assertMembershipStatus(after, statusIn[state], list);
      }),
    ),
  );

const updateCases = (states: readonly ReachableState[]): TestCase[] => [
  ...keptCases(states, updates, (response, status) => assertMembershipStatus(response, status)),
  ...keptCases(states, others),
];

/** The states from which an unsubscribe ends a membership, or in which it has ended. */
const leaving = ["pending", "confirmed", "unsubscribed", "blocked"] as const;

const leavingCases = (from: "list" | "everything"): TestCase[] =>
  leaving.map((state) =>
    stateCase(state, `unsubscribed from ${from === "list" ? "the list" : from}`, async (tester) => {
      const { list, response, after } = await unsubscribedIn(tester, state, from);
      for (const exchange of [response, after]) assertMembershipStatus(exchange, "unsubscribed", list);
    }),
  );

const fixtureCase = (
  state: "cleaned" | "complained",
  title: string,
  run: (tester: Tester) => Promise<unknown>,
): TestCase => testCase(`${state}, ${title}`, { core: false, needs: [`contacts.${state}`] }, run);

/** An update leaves the state, which no request reaches, as it is. */
const fixtureUpdate = (state: "cleaned" | "complained"): TestCase =>
  fixtureCase(state, "an update", async (tester) => {
    const { list, afterUpdate } = await contactInState(tester, state);
    assertMembershipStatus(afterUpdate, state, list);
  });

/** The membership has ended, and stays so. */
const fixtureLeaving = (state: "cleaned" | "complained", title: string, view: "after" | "final"): TestCase =>
  fixtureCase(state, title, async (tester) => {
    const { list, [view]: exchange } = await unsubscribedFromState(tester, state);
    assertMembershipStatus(exchange, "unsubscribed", list);
  });

const assertBlocked = (exchange: Exchange): void =>
  assertEqual(exchange, "marketing_blocked", bodyOf(exchange).marketing_blocked, true);

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
    keptCases(
      ["pending", "subscribed", "confirmed", "unsubscribed", "blocked"],
      ["an unsubscribe from another list"],
      (response, status, list) => assertMembershipStatus(response, status, list),
    ),
  ),
  check("UNSUB-4", "unsubscribing from one list ends a membership in any state", [
    ...leavingCases("list"),
    fixtureLeaving("complained", "unsubscribed from the list", "after"),
  ]),
  check("UNSUB-1", "unsubscribing from everything ends a membership in any state", [
    ...leavingCases("everything"),
    fixtureLeaving("cleaned", "unsubscribed from everything", "after"),
  ]),
  check(
    "UNSUB-2",
    "no further request lets marketing email reach a contact who unsubscribed from everything",
    [
      ...(["list", "everything"] as const).map((from) =>
        stateCase(
          "blocked",
          `unsubscribed again from ${from === "list" ? "a list" : from}`,
          async (tester) => {
            const { response, after } = await unsubscribedIn(tester, "blocked", from);
            for (const exchange of [response, after]) assertBlocked(exchange);
          },
        ),
      ),
      stateCase("blocked", "updated and replayed", async (tester) => {
        const { written } = await writesIn(tester, "blocked");
        for (const { after } of Object.values(written)) assertBlocked(after);
      }),
    ],
  ),
];
