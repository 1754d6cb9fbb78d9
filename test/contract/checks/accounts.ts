import { assert, configured, NotVerified } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import {
  addContact,
  assertEqual,
  assertError,
  bodyOf,
  casePerOperation,
  format,
  getContact,
  newContact,
  requestOk,
  requestToReject,
  validRequest,
} from "./kit.ts";

type List = { id: number; double_opt_in: boolean };

/** The lists of the account that a role's key belongs to. */
export const listsOf = (tester: Tester, role: Role) =>
  tester.once(`the lists of ${role}`, async (own) => {
    const exchange = await requestOk(own, "listNewsletterLists", { key: role });
    const { lists } = bodyOf(exchange);
    return { exchange, lists: Array.isArray(lists) ? (lists as List[]) : [] };
  });

/** A list of a role's account that asks nobody to confirm. @throws NotVerified where it has none */
export async function plainListOf(tester: Tester, role: Role): Promise<number> {
  const { lists } = await listsOf(tester, role);
  const plain = lists.find(({ double_opt_in }) => double_opt_in === false);
  if (plain === undefined) throw new NotVerified(`The account of ${role} has no list without double opt-in.`);
  return plain.id;
}

/** A contact that two accounts have, the other of which changes it and unsubscribes it. */
async function onTwoAccounts(tester: Tester): Promise<void> {
  const list_id = await plainListOf(tester, "otherAccount");
  const email = await addContact(tester, { first_name: "Ada" });
  const key = "otherAccount";
  await requestOk(tester, "upsertContact", { key, body: { email, list_id, first_name: "Grace" } });
  await requestOk(tester, "unsubscribeContact", { key, path: { email }, body: {} });
  const exchange = await requestOk(tester, "getContact", { path: { email } });
  const { lists, marketing_blocked } = bodyOf(exchange);
  const found = (lists as Record<string, unknown>[]).map(({ list_id: list, status, first_name }) => ({
    list,
    status,
    first_name,
  }));
  const plain = tester.settings.fixtures.lists?.plain;
  assertEqual(exchange, "lists", found, [{ list: plain, status: "subscribed", first_name: "Ada" }]);
  assertEqual(exchange, "marketing_blocked", marketing_blocked, false);
}

export const accounts: Check[] = [
  check(
    "AUTH-2",
    "a key does not reach what another account has",
    [
      ...casePerOperation(
        ["getEmail", "rescheduleEmail", "cancelEmail", "upsertContact", "getContact", "unsubscribeContact"],
        ["getEmail", "getContact"],
        async (tester, operation) => {
          const asked = await requestToReject(tester, operation);
          assertError(await tester.request(operation, { ...asked, key: "otherAccount" }), 404, "not_found");
        },
      ),
      {
        title: "its lists are not told",
        operation: "listNewsletterLists",
        needs: ["lists.plain"],
        run: async (tester) => {
          const plain = configured(tester.settings.fixtures.lists?.plain, "lists.plain");
          const { exchange, lists } = await listsOf(tester, "otherAccount");
          assert(!lists.some(({ id }) => id === plain), exchange, {
            expected: `lists without the list ${plain} of another account`,
            found: format(lists),
          });
        },
      },
      {
        title: "a contact that both have",
        operation: "upsertContact",
        needs: ["lists.plain"],
        run: onTwoAccounts,
      },
    ],
    { needs: ["keys.otherAccount"] },
  ),
  check("AUTH-4", "keys of one account reach what it has, each by its own abilities", [
    ...casePerOperation(["getEmail", "getContact"], ["getEmail", "getContact"], async (tester, operation) => {
      await requestOk(tester, operation, { ...(await requestToReject(tester, operation)), key: "second" });
    }).map((trial) => ({ ...trial, needs: [...(trial.needs ?? []), "keys.second" as const] })),
    ...casePerOperation(
      ["rescheduleEmail", "cancelEmail", "unsubscribeContact"],
      [],
      async (tester, operation) => {
        await requestOk(tester, operation, { ...(await validRequest(tester, operation)), key: "second" });
      },
    ).map((trial) => ({ ...trial, needs: [...(trial.needs ?? []), "keys.second" as const] })),
    {
      title: "what one key adds another one reads",
      operation: "upsertContact",
      needs: ["lists.plain", "keys.manageOnly", "keys.readOnly"],
      run: async (tester) => {
        const body = { email: newContact(tester), list_id: tester.settings.fixtures.lists?.plain };
        await requestOk(tester, "upsertContact", { body, key: "manageOnly" });
        await requestOk(tester, "getContact", { path: { email: body.email }, key: "readOnly" });
        await getContact(tester, body.email);
      },
    },
  ]),
];
