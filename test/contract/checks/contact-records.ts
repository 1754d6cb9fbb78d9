import { NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { detailed, inCapitals, leftAll, leftOne } from "./contact-lives.ts";
import { addContact, assertEqual, assertError, bodyOf, newContact, requestOk } from "./kit.ts";
import { listOf } from "./newsletter.ts";

const needs = ["lists.plain"] as const;

const taken = (title: string, consent: Record<string, string>): TestCase => ({
  title,
  needs,
  run: (tester) =>
    requestOk(tester, "upsertContact", {
      body: { email: newContact(tester), list_id: listOf(tester, "plain"), consent },
    }),
});

export const consent: Check[] = [
  check("CONT-17", "a consent with a detail alone is taken", [
    taken("", { detail: "Ticked the newsletter box in a check of the contract." }),
  ]),
  check("CONT-21", "a consent with an IP address alone is taken", [
    taken("of version 4", { ip: "192.0.2.17" }),
    taken("of version 6", { ip: "2001:db8::17" }),
  ]),
  check("CONT-22", "a consent with a browser alone is taken", [
    taken("", { user_agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0" }),
  ]),
];

/** The lists that a contact record has memberships of, in order. */
const listsIn = (exchange: Exchange): number[] => {
  const { lists } = bodyOf(exchange);
  return (Array.isArray(lists) ? (lists as { list_id?: unknown }[]) : [])
    .map((one) => Number(one.list_id))
    .sort((one, other) => one - other);
};

/** An answer to the key of another account, which must be one that works there. */
function ofOther(exchange: Exchange): Exchange {
  if (exchange.status === 402 || exchange.status === 403)
    throw new NotVerified("keys.otherAccount must not handle the contacts of its own account.");
  return exchange;
}

export const contactRecords: Check[] = [
  check(
    "CONT-23",
    "a contact is found by its address",
    [
      {
        title: "a plain one",
        core: true,
        run: async (tester) => {
          const { email, found } = await detailed(tester);
          assertEqual(found, "email", bodyOf(found).email, email);
        },
      },
      {
        title: "one with a plus sign",
        core: true,
        run: async (tester) => {
          const { email, found } = await inCapitals(tester);
          assertEqual(found, "email", bodyOf(found).email, email);
        },
      },
    ],
    { needs },
  ),
  check("CONT-24", "marketing e-mail is kept from a contact only when it left everything", [
    {
      title: "a subscriber",
      core: true,
      needs,
      run: async (tester) => {
        const { found } = await detailed(tester);
        assertEqual(found, "marketing_blocked", bodyOf(found).marketing_blocked, false);
      },
    },
    {
      title: "one who left one of two lists",
      core: true,
      needs: ["lists.plain", "lists.second"],
      run: async (tester) => {
        const { left, after } = await leftOne(tester);
        assertEqual(left, "marketing_blocked", bodyOf(left).marketing_blocked, false);
        assertEqual(after, "marketing_blocked", bodyOf(after).marketing_blocked, false);
      },
    },
    {
      title: "one who left everything",
      core: true,
      needs,
      run: async (tester) => {
        const { left, after } = await leftAll(tester);
        assertEqual(left, "marketing_blocked", bodyOf(left).marketing_blocked, true);
        assertEqual(after, "marketing_blocked", bodyOf(after).marketing_blocked, true);
      },
    },
  ]),
  check("CONT-25", "a contact record has one membership for every list", [
    {
      title: "one list",
      core: true,
      needs,
      run: async (tester) => {
        const { found, list } = await detailed(tester);
        assertEqual(found, "the lists", listsIn(found), [list]);
      },
    },
    {
      title: "two lists",
      core: true,
      needs: ["lists.plain", "lists.second"],
      run: async (tester) => {
        const { before, list, other } = await leftOne(tester);
        assertEqual(
          before,
          "the lists",
          listsIn(before),
          [list, other].sort((one, next) => one - next),
        );
      },
    },
    {
      title: "after leaving everything",
      core: true,
      needs,
      run: async (tester) => {
        const { left, lists } = await leftAll(tester);
        assertEqual(
          left,
          "the lists",
          listsIn(left),
          [...lists].sort((one, next) => one - next),
        );
      },
    },
  ]),
  check("CONT-26", "an address that the account has never seen is not found", [
    {
      title: "getContact",
      operation: "getContact",
      core: true,
      run: async (tester) =>
        assertError(
          await tester.request("getContact", { path: { email: newContact(tester) } }),
          404,
          "not_found",
        ),
    },
    {
      title: "unsubscribeContact",
      operation: "unsubscribeContact",
      core: true,
      run: async (tester) => {
        const asked = { path: { email: newContact(tester) }, body: {} };
        assertError(await tester.request("unsubscribeContact", asked), 404, "not_found");
      },
    },
    {
      title: "a contact of another account",
      needs: ["lists.plain", "keys.otherAccount"],
      run: async (tester) => {
        const { email } = await detailed(tester);
        const asked = { path: { email }, key: "otherAccount" } as const;
        assertError(ofOther(await tester.request("getContact", asked)), 404, "not_found");
      },
    },
    {
      title: "a contact of another account, who is to leave",
      needs: ["lists.plain", "keys.otherAccount"],
      run: async (tester) => {
        const part = await addContact(tester);
        const asked = { path: { email: part }, body: {}, key: "otherAccount" } as const;
        assertError(ofOther(await tester.request("unsubscribeContact", asked)), 404, "not_found");
      },
    },
    {
      title: "an address that was refused",
      needs: ["lists.otherAccount"],
      run: async (tester) => {
        const email = newContact(tester);
        const body = { email, list_id: listOf(tester, "otherAccount") };
        assertError(await tester.request("upsertContact", { body }), 404, "not_found");
        assertError(await tester.request("getContact", { path: { email } }), 404, "not_found");
      },
    },
  ]),
];
