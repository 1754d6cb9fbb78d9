import { assert, configured } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, assertError, bodyOf, format, requestOk } from "../support/assertions.ts";
import { addContact, getContact, newContact } from "../support/contacts.ts";
import { listsOf, plainListOf } from "../support/lists.ts";
import { casePerOperation, requestToReject, validRequest } from "../support/requests.ts";

/** Both accounts have the same contact; the other account changes and unsubscribes it. */
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
    "a key cannot access the data of another account",
    [
      ...casePerOperation(
        ["getEmail", "rescheduleEmail", "cancelEmail", "upsertContact", "getContact", "unsubscribeContact"],
        ["getEmail", "getContact"],
        async (tester, operation) => {
          const options = await requestToReject(tester, operation);
          assertError(await tester.request(operation, { ...options, key: "otherAccount" }), 404, "not_found");
        },
      ),
      testCase(
        "the lists of another account are not listed",
        { operation: "listNewsletterLists", needs: ["lists.plain"] },
        async (tester) => {
          const plain = configured(tester.settings.fixtures.lists?.plain, "lists.plain");
          const { exchange, lists } = await listsOf(tester, "otherAccount");
          assert(!lists.some(({ id }) => id === plain), exchange, {
            expected: `no list ${plain} of another account`,
            found: format(lists),
          });
        },
      ),
      testCase(
        "a contact of both accounts",
        { operation: "upsertContact", needs: ["lists.plain"] },
        onTwoAccounts,
      ),
    ],
    { needs: ["keys.otherAccount"] },
  ),
  check("AUTH-4", "all keys of an account access the same data, each within its abilities", [
    ...casePerOperation(["getEmail", "getContact"], ["getEmail", "getContact"], async (tester, operation) => {
      await requestOk(tester, operation, { ...(await requestToReject(tester, operation)), key: "second" });
    }).map((testCase) => ({ ...testCase, needs: [...(testCase.needs ?? []), "keys.second" as const] })),
    ...casePerOperation(
      ["rescheduleEmail", "cancelEmail", "unsubscribeContact"],
      [],
      async (tester, operation) => {
        await requestOk(tester, operation, { ...(await validRequest(tester, operation)), key: "second" });
      },
    ).map((testCase) => ({ ...testCase, needs: [...(testCase.needs ?? []), "keys.second" as const] })),
    testCase(
      "a contact added with one key is found with another",
      { operation: "upsertContact", needs: ["lists.plain", "keys.manageOnly", "keys.readOnly"] },
      async (tester) => {
        const body = { email: newContact(tester), list_id: tester.settings.fixtures.lists?.plain };
        await requestOk(tester, "upsertContact", { body, key: "manageOnly" });
        await requestOk(tester, "getContact", { path: { email: body.email }, key: "readOnly" });
        await getContact(tester, body.email);
      },
    ),
  ]),
];
