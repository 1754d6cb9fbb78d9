import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, assertError, assertSuccess, requestOk } from "../support/assertions.ts";
import {
  contactInState,
  pendingContact,
  titleOfView,
  unsubscribedFromAll,
  unsubscribedFromOne,
  views,
} from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  listId,
  lookUpContact,
  membership,
  needsList,
  needsTwoLists,
  unknownListId,
} from "../support/contacts.ts";

/** The documented properties of a membership, except the wording of its status. */
const properties = [
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

const propertiesOf = (one: Record<string, unknown>): unknown[] => properties.map((name) => one[name]);

/** A list of another account or a nonexistent list is rejected. */
async function assertListNotFound(tester: Tester, list: number): Promise<void> {
  const email = await addContact(tester);
  const body = { list_id: list };
  const exchange = await tester.request("unsubscribeContact", { path: { email }, body });
  assertError(exchange, 404, "not_found", "list_id");
  assertMembershipStatus(await lookUpContact(tester, email), "subscribed", listId(tester, "plain"));
}

export const leavingOne: Check[] = [
  check("UNSUB-4", "unsubscribing from one list ends that membership", [
    ...views.map(
      (which): TestCase =>
        testCase(titleOfView[which], { core: true, needs: needsTwoLists }, async (tester) => {
          const { list, [which]: exchange } = await unsubscribedFromOne(tester);
          assertMembershipStatus(exchange, "unsubscribed", list);
        }),
    ),
    testCase("a pending membership", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { unsubscribed, list } = await pendingContact(tester);
      assertMembershipStatus(unsubscribed, "unsubscribed", list);
    }),
    testCase("a complained membership", { core: true, needs: ["contacts.complained"] }, async (tester) => {
      const { unsubscribed, list } = await contactInState(tester, "complained");
      assertMembershipStatus(unsubscribed, "unsubscribed", list);
    }),
  ]),
  ...withNeeds(needsList, [
    check(
      "UNSUB-5",
      "unsubscribing from one list leaves all others unchanged",
      views.map((which) =>
        testCase(titleOfView[which], { core: true }, async (tester) => {
          const { other, before, [which]: exchange } = await unsubscribedFromOne(tester);
          const [then, now] = [membership(before, other), membership(exchange, other)];
          assertEqual(exchange, `the membership of list ${other}`, propertiesOf(now), propertiesOf(then));
        }),
      ),
      { needs: ["lists.second"] },
    ),
    check("UNSUB-6", "an unsubscribe needs no list", async (tester) => {
      const { unsubscribed } = await unsubscribedFromAll(tester);
      assertSuccess(unsubscribed);
    }),
    check("UNSUB-7", "an unsubscribe can give a reason", [
      testCase("from everything, without a reason", { core: true }, async (tester) =>
        assertSuccess((await unsubscribedFromAll(tester)).unsubscribed),
      ),
      ...[
        { title: "everything", core: true, list: undefined },
        { title: "one list", core: false, list: "plain" as const },
      ].map(
        ({ title, core, list }): TestCase =>
          testCase(title, { core }, async (tester) => {
            const email = await addContact(tester);
            const body = { reason: "Too many letters.", ...(list && { list_id: listId(tester, list) }) };
            await requestOk(tester, "unsubscribeContact", { path: { email }, body });
          }),
      ),
    ]),
    check("UNSUB-12", "a list that the account does not have is rejected with 404 not_found", [
      testCase("a list of another account", { core: true, needs: ["lists.otherAccount"] }, async (tester) =>
        assertListNotFound(tester, listId(tester, "otherAccount")),
      ),
      testCase("a nonexistent list", async (tester) => assertListNotFound(tester, unknownListId(tester))),
    ]),
  ]),
];
