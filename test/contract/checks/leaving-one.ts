import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { inState, leftAll, leftOne, pending } from "./contact-lives.ts";
import { addContact, assertEqual, assertError, assertSuccess, requestOk } from "./kit.ts";
import { hasStatus, listOf, lookUp, membership, noList } from "./newsletter.ts";

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

/** A list that this account does not have: one of another account, or none at all. */
async function isUnknown(tester: Tester, list: number): Promise<void> {
  const email = await addContact(tester);
  const body = { list_id: list };
  assertError(await tester.request("unsubscribeContact", { path: { email }, body }), 404, "not_found");
  hasStatus(await lookUp(tester, email), "subscribed", listOf(tester, "plain"));
}

/** In the answer to leaving, and looked up after it. */
const answers = ["left", "after"] as const;

export const leavingOne: Check[] = [
  check("UNSUB-4", "leaving one list ends the membership of it", [
    ...answers.map(
      (which): TestCase => ({
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
    answers.map((which) => ({
      title: which === "left" ? "in the answer" : "looked up",
      core: true,
      run: async (tester) => {
        const { other, before, [which]: exchange } = await leftOne(tester);
        const [then, now] = [membership(before, other), membership(exchange, other)];
        assertEqual(exchange, `the membership of list ${other}`, partsOf(now), partsOf(then));
      },
    })),
    { needs: two },
  ),
  check(
    "UNSUB-6",
    "leaving needs no list",
    async (tester) => {
      const { left } = await leftAll(tester);
      assertSuccess(left);
    },
    { needs },
  ),
  check(
    "UNSUB-7",
    "leaving may say why",
    [
      {
        title: "everything, without saying",
        core: true,
        run: async (tester) => assertSuccess((await leftAll(tester)).left),
      },
      ...[
        { title: "everything", core: true, list: undefined },
        { title: "one list", core: false, list: "plain" as const },
      ].map(
        ({ title, core, list }): TestCase => ({
          title,
          core,
          run: async (tester) => {
            const part = await addContact(tester);
            const body = { reason: "Too many letters.", ...(list && { list_id: listOf(tester, list) }) };
            await requestOk(tester, "unsubscribeContact", { path: { email: part }, body });
          },
        }),
      ),
    ],
    { needs },
  ),
  check(
    "UNSUB-12",
    "a list that this account does not have is not found",
    [
      {
        title: "a list of another account",
        core: true,
        needs: ["lists.otherAccount"],
        run: async (tester) => isUnknown(tester, listOf(tester, "otherAccount")),
      },
      { title: "no list at all", run: async (tester) => isUnknown(tester, noList(tester)) },
    ],
    { needs },
  ),
];
