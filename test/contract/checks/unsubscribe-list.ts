import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, assertError, assertSuccess, requestOk } from "../support/assertions.ts";
import { contactInState, leftAllLists, leftOneList, pendingContact } from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  listId,
  lookUpContact,
  membership,
  unknownListId,
} from "../support/contacts.ts";

const needs = ["lists.plain"] as const;

const two = ["lists.plain", "lists.second"] as const;

/** What the document says of a membership, but for the wording of its status. */
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

/** A list that this account does not have: one of another account, or none at all. */
async function assertListNotFound(tester: Tester, list: number): Promise<void> {
  const email = await addContact(tester);
  const body = { list_id: list };
  assertError(await tester.request("unsubscribeContact", { path: { email }, body }), 404, "not_found");
  assertMembershipStatus(await lookUpContact(tester, email), "subscribed", listId(tester, "plain"));
}

/** In the response to leaving, and looked up after it. */
const responses = ["left", "after"] as const;

export const leavingOne: Check[] = [
  check("UNSUB-4", "leaving one list ends the membership of it", [
    ...responses.map(
      (which): TestCase =>
        testCase(
          which === "left" ? "in the answer" : "looked up",
          { core: true, needs: two },
          async (tester) => {
            const { list, [which]: exchange } = await leftOneList(tester);
            assertMembershipStatus(exchange, "unsubscribed", list);
          },
        ),
    ),
    testCase("a pending one", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { left, list } = await pendingContact(tester);
      assertMembershipStatus(left, "unsubscribed", list);
    }),
    testCase("one that complained", { core: true, needs: ["contacts.complained"] }, async (tester) => {
      const { left, list } = await contactInState(tester, "complained");
      assertMembershipStatus(left, "unsubscribed", list);
    }),
  ]),
  check(
    "UNSUB-5",
    "leaving one list leaves all others as they were",
    responses.map((which) =>
      testCase(which === "left" ? "in the answer" : "looked up", { core: true }, async (tester) => {
        const { other, before, [which]: exchange } = await leftOneList(tester);
        const [then, now] = [membership(before, other), membership(exchange, other)];
        assertEqual(exchange, `the membership of list ${other}`, propertiesOf(now), propertiesOf(then));
      }),
    ),
    { needs: two },
  ),
  check(
    "UNSUB-6",
    "leaving needs no list",
    async (tester) => {
      const { left } = await leftAllLists(tester);
      assertSuccess(left);
    },
    { needs },
  ),
  check(
    "UNSUB-7",
    "leaving may say why",
    [
      testCase("everything, without saying", { core: true }, async (tester) =>
        assertSuccess((await leftAllLists(tester)).left),
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
    ],
    { needs },
  ),
  check(
    "UNSUB-12",
    "a list that this account does not have is not found",
    [
      testCase("a list of another account", { core: true, needs: ["lists.otherAccount"] }, async (tester) =>
        assertListNotFound(tester, listId(tester, "otherAccount")),
      ),
      testCase("no list at all", async (tester) => assertListNotFound(tester, unknownListId(tester))),
    ],
    { needs },
  ),
];
