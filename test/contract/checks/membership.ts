import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { detailed, inCapitals, leftAll, leftOne, pending, valued } from "./contact-lives.ts";
import { assertEqual, bodyOf, format } from "./kit.ts";
import { isRecent, listOf, type Membership, membership } from "./newsletter.ts";

const needs = ["lists.plain"] as const;
const two = ["lists.plain", "lists.second"] as const;
const optIn = ["lists.doubleOptIn"] as const;

/** The memberships of one contact that it was added to, of the answer and as looked up, after the first post or the second. */
async function shownAfter(
  tester: Tester,
  name: string,
  which: "adding" | "updating",
): Promise<[Exchange, Membership, Membership][]> {
  const { added, updated, found, list, first, second } = await (name === "fields" ? valued : detailed)(
    tester,
  );
  if (which === "adding") return [[added, bodyOf(added), first]];
  return [
    [updated, bodyOf(updated), second],
    [found, membership(found, list), second],
  ];
}

/** What was posted under a name stands in the membership. */
const keeps = (name: string): TestCase[] =>
  (["adding", "updating"] as const).map((which) => ({
    title: `after ${which}`,
    core: true,
    run: async (tester) => {
      for (const one of await shownAfter(tester, name, which)) stands(name, ...one);
    },
  }));

function stands(name: string, exchange: Exchange, found: Membership, sent: Membership): void {
  if (name === "fields" || name === "tags") includes(exchange, name, found[name], sent[name]);
  else assertEqual(exchange, name, found[name], sent[name]);
}

/** Every value that was sent is there. What was cleared is looked at elsewhere. */
function includes(exchange: Exchange, name: string, found: unknown, sent: unknown): void {
  const has = (key: string, value: unknown): boolean =>
    Array.isArray(found)
      ? found.includes(value)
      : (found as Record<string, unknown> | null | undefined)?.[key] === value;
  const lost = Object.entries(sent as object).find(([key, value]) => value !== null && !has(key, value));
  assert(lost === undefined, exchange, {
    expected: `${name} with ${format(lost?.[1])}`,
    found: format(found),
  });
}

/** The same time, which may once be told in fractions of a second and once in whole ones. */
function isSameTime(one = "", other = ""): boolean {
  const [first, second] = [Date.parse(one), Date.parse(other)];
  const isCoarse = first % 1000 === 0 || second % 1000 === 0;
  return first === second || (isCoarse && Math.abs(first - second) < 1000);
}

export const memberships: Check[] = [
  check(
    "MEMB-1",
    "a membership names its list",
    async (tester) => {
      const { added, addedToOther, list, other } = await leftOne(tester);
      assertEqual(added, "list_id", bodyOf(added).list_id, list);
      assertEqual(addedToOther, "list_id", bodyOf(addedToOther).list_id, other);
    },
    { needs: two },
  ),
  check(
    "MEMB-2",
    "a membership has the address in lower case",
    (["added", "updated", "found"] as const).map((when) => ({
      title: when,
      core: true,
      run: async (tester) => {
        const { [when]: exchange, email } = await inCapitals(tester);
        const one = when === "found" ? membership(exchange, listOf(tester, "plain")) : bodyOf(exchange);
        assertEqual(exchange, "email", one.email, email);
      },
    })),
    { needs },
  ),
  check(
    "MEMB-2",
    "an address is the same in capitals and in small letters",
    async (tester) => {
      const { updated } = await inCapitals(tester);
      assertEqual(updated, "status", updated.status, 200);
    },
    { needs },
  ),
  check("MEMB-5", "a membership has the first name that was handed in", keeps("first_name"), { needs }),
  check("MEMB-6", "a membership has the last name that was handed in", keeps("last_name"), { needs }),
  check("MEMB-7", "a membership has the values of custom fields that were handed in", keeps("fields"), {
    needs,
  }),
  check("MEMB-8", "a membership has the tags that were handed in", keeps("tags"), { needs }),
  check("MEMB-9", "a membership tells when it began", [
    {
      title: "on joining a list that asks for no confirmation",
      core: true,
      needs,
      run: async (tester) => {
        const { added } = await detailed(tester);
        isRecent(tester, added, "subscribed_at", bodyOf(added).subscribed_at);
      },
    },
    {
      title: "not before the confirmation",
      core: true,
      needs: optIn,
      run: async (tester) => {
        const { added, found, list } = await pending(tester);
        assertEqual(added, "subscribed_at", bodyOf(added).subscribed_at, null);
        assertEqual(found, "subscribed_at", membership(found, list).subscribed_at, null);
      },
    },
    {
      title: "an update does not move it",
      core: true,
      needs,
      run: async (tester) => {
        const { added, updated } = await detailed(tester);
        const [before, after] = [added, updated].map((one) => String(bodyOf(one).subscribed_at));
        assert(isSameTime(before, after), updated, {
          expected: `subscribed_at ${before}, as before`,
          found: format(after),
        });
      },
    },
    {
      title: "never, where the contact left before the confirmation",
      core: true,
      needs: optIn,
      run: async (tester) => {
        const { left, list } = await pending(tester);
        assertEqual(left, "subscribed_at", membership(left, list).subscribed_at, null);
      },
    },
  ]),
  check("MEMB-10", "a membership tells when the contact left", [
    {
      title: "not before it does",
      core: true,
      needs,
      run: async (tester) => {
        const { added } = await detailed(tester);
        assertEqual(added, "unsubscribed_at", bodyOf(added).unsubscribed_at, null);
      },
    },
    {
      title: "after leaving one list",
      core: true,
      needs: two,
      run: async (tester) => {
        const { left, list } = await leftOne(tester);
        isRecent(tester, left, "unsubscribed_at", membership(left, list).unsubscribed_at);
      },
    },
    {
      title: "a post afterwards does not take it away",
      core: true,
      needs: two,
      run: async (tester) => {
        const { again, atLast, list } = await leftOne(tester);
        isRecent(tester, again, "unsubscribed_at", bodyOf(again).unsubscribed_at);
        isRecent(tester, atLast, "unsubscribed_at", membership(atLast, list).unsubscribed_at);
      },
    },
    {
      title: "after leaving everything",
      core: true,
      needs,
      run: async (tester) => {
        const { after, list } = await leftAll(tester);
        isRecent(tester, after, "unsubscribed_at", membership(after, list).unsubscribed_at);
      },
    },
  ]),
  check(
    "MEMB-16",
    "a post for an address on the list updates its names, fields and tags",
    ["first_name", "last_name", "fields", "tags"].map((name) => ({
      title: name,
      core: true,
      run: async (tester) => {
        for (const one of await shownAfter(tester, name, "updating")) stands(name, ...one);
      },
    })),
    { needs },
  ),
];
