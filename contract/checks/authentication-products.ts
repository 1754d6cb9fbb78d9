import { type OperationId, operations } from "../../generated/operations.ts";
import { configured, NotVerified } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { assertError, requestOk } from "../support/assertions.ts";
import { newContact } from "../support/contacts.ts";
import { listsOf, plainListOf } from "../support/lists.ts";
import { batchOf, emailNeeds, message, senderOf } from "../support/messages.ts";
import { operationsOfProduct, requestToReject } from "../support/requests.ts";

/** Something that the account without the product has, so that only the product is missing in a request about it. */
interface Owned {
  needs: readonly Need[];
  options(tester: Tester): RequestOptions;
}

const ownedDomain = (body: (message: Record<string, unknown>) => object): Owned => ({
  needs: ["domains.ofRole.noPlan", "simulatorDomain"],
  options: (tester) => ({ body: body(message(tester, { from: senderOf(tester, "noPlan") })) }),
});

const ownedContact = (options: (contact: { email: string; list: number }) => RequestOptions): Owned => ({
  needs: ["contacts.noNewsletter"],
  options: ({ settings }) =>
    options(configured(settings.fixtures.contacts?.noNewsletter, "contacts.noNewsletter")),
});

const owned: Partial<Record<OperationId, Owned>> = {
  sendEmail: ownedDomain((one) => one),
  sendBatch: ownedDomain((one) => batchOf(one)),
  upsertContact: ownedContact(({ email, list }) => ({ body: { email, list_id: list } })),
  getContact: ownedContact(({ email }) => ({ path: { email } })),
  unsubscribeContact: ownedContact(({ email }) => ({ path: { email }, body: {} })),
};

const noPlanCases = (product: string, role: Role, core: readonly OperationId[]): TestCase[] =>
  operationsOfProduct(product).map((operation) => {
    const isOfMessage = operations[operation].pathParameters.some((name) => name === "id");
    const needs = isOfMessage ? emailNeeds : (owned[operation]?.needs ?? []);
    return testCase(operation, { operation, core: core.includes(operation), needs }, async (tester) => {
      const options = isOfMessage
        ? await requestAboutMessage(tester, operation)
        : (owned[operation]?.options(tester) ?? {});
      const exchange = await tester.request(operation, { ...options, key: role });
      if (isOfMessage) skipIfUnknown(tester, exchange);
      assertError(exchange, 402, "no_plan");
    });
  });

/** A request about the configured message of the account, or about one that it does not have. */
async function requestAboutMessage(tester: Tester, operation: OperationId): Promise<RequestOptions> {
  const options = await requestToReject(tester, operation);
  const { noPlan: id } = tester.settings.fixtures.messages ?? {};
  return id === undefined ? options : { ...options, path: { id } };
}

/**
 * Which error a server returns first is unspecified.
 * @throws NotVerified if the account may have no such message, and the server says so
 */
function skipIfUnknown({ settings }: Tester, { status }: Exchange): void {
  if (status === 404 && settings.fixtures.messages?.noPlan === undefined)
    throw new NotVerified(
      "The account of keys.noPlan has no such message, and messages.noPlan is not configured.",
    );
}

/** Accounts without one of the products. */
export const products: Check[] = [
  check(
    ["AUTH-16", "AUTH-18"],
    "email requests of an account without an email plan are rejected with 402 no_plan",
    noPlanCases("email", "noPlan", ["sendEmail", "getEmail"]),
    { needs: ["keys.noPlan"] },
  ),
  check(
    ["AUTH-16", "AUTH-20"],
    "newsletter requests of an account without the newsletter are rejected with 402 no_plan",
    noPlanCases("newsletter", "noNewsletter", ["listNewsletterLists"]),
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
