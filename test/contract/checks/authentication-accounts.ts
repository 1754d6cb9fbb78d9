import type { OperationId } from "../../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import { type Exchange, errorOf } from "../exchange.ts";
import { assertNoValidField, requestOk } from "../support/assertions.ts";
import { getContact, newContact } from "../support/contacts.ts";
import { listsOf, plainListOf } from "../support/lists.ts";
import { batchOf, message, senderOf } from "../support/messages.ts";
import { casePerOperation, operationsOfProduct, requestToReject, validRequest } from "../support/requests.ts";

const sends: readonly OperationId[] = ["sendEmail", "sendBatch"];

const listings: readonly OperationId[] = ["listNewsletterLists", "listCustomFields"];

const noPlan = { 402: "no_plan" };

const noSuchThing = { 404: "not_found" };

const noSender = { 403: "send_rejected", 422: "send_rejected" };

/** Asserts one of several errors, given as error type by status. */
function assertOneOf(exchange: Exchange, types: Record<number, string>): void {
  const type = errorOf(exchange)?.type;
  assert(type !== undefined && types[exchange.status] === type, exchange, {
    expected: Object.entries(types)
      .map((pair) => pair.join(" "))
      .join(" or "),
    found: `status ${exchange.status}${type === undefined ? "" : ` ${String(type)}`}`,
  });
  assertNoValidField(exchange, type === "no_plan" ? [] : ["from", "emails.0.from", "list_id"]);
}

/**
 * Other errors that are also correct: an account without a product may lack the domain or object of the request too.
 */
function otherErrors(operation: OperationId, hasDomain: boolean): Record<number, string> {
  if (sends.includes(operation)) return hasDomain ? {} : noSender;
  return listings.includes(operation) ? {} : noSuchThing;
}

const noPlanCases = (
  operations: readonly OperationId[],
  role: Role,
  core: readonly OperationId[],
): TestCase[] =>
  casePerOperation(operations, core, async (tester, operation) => {
    const options = { ...(await requestToReject(tester, operation)), key: role };
    const hasDomain = tester.settings.fixtures.domains?.ofRole?.[role] !== undefined;
    if (sends.includes(operation) && hasDomain) {
      const sent = message(tester, { from: senderOf(tester, role) });
      options.body = operation === "sendBatch" ? batchOf(sent) : sent;
    }
    assertOneOf(await tester.request(operation, options), {
      ...noPlan,
      ...otherErrors(operation, hasDomain),
    });
  });

export const accounts: Check[] = [
  check("AUTH-4", "all keys of an account access the same data, each within its abilities", [
    ...casePerOperation(
      ["getEmail", "getContact", "rescheduleEmail", "cancelEmail", "unsubscribeContact"],
      ["getEmail", "getContact"],
      async (tester, operation) =>
        requestOk(tester, operation, { ...(await validRequest(tester, operation)), key: "second" }),
      { needs: ["keys.second"] },
    ),
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
  check(
    ["AUTH-16", "AUTH-18"],
    "email requests of an account without an email plan are rejected with 402 no_plan",
    noPlanCases(operationsOfProduct("email"), "noPlan", ["sendEmail", "getEmail"]),
    { needs: ["keys.noPlan"] },
  ),
  check(
    ["AUTH-16", "AUTH-20"],
    "newsletter requests of an account without the newsletter are rejected with 402 no_plan",
    noPlanCases(operationsOfProduct("newsletter"), "noNewsletter", ["listNewsletterLists"]),
    { needs: ["keys.noNewsletter"] },
  ),
  check(
    "AUTH-21",
    "newsletter requests work without an email plan",
    [
      testCase("lists", { operation: "listNewsletterLists" }, async (tester) => listsOf(tester, "noPlan")),
      testCase("custom fields", { operation: "listCustomFields" }, async (tester) =>
        requestOk(tester, "listCustomFields", { key: "noPlan" }),
      ),
      testCase(
        "a contact is added, looked up and unsubscribed",
        { operation: "upsertContact" },
        async (tester) => {
          const email = newContact(tester);
          const key = "noPlan";
          const list_id = await plainListOf(tester, key);
          await requestOk(tester, "upsertContact", { key, body: { email, list_id } });
          await requestOk(tester, "getContact", { key, path: { email } });
          await requestOk(tester, "unsubscribeContact", { key, path: { email }, body: {} });
        },
      ),
    ],
    { needs: ["keys.noPlan"] },
  ),
];
