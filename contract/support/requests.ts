import { type OperationId, type OperationWithInput, operations } from "../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import type { Need, TestCase } from "../engine/check.ts";
import { missingNeeds } from "../engine/run-case.ts";
import { isInRun, productsOfProfile } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { addContact, newContactBody } from "./contacts.ts";
import { batchOf, emailNeeds, message, schedule, secondsAhead, send } from "./messages.ts";

export const operationsOfProduct = (product?: string): OperationId[] =>
  (Object.keys(operations) as OperationId[]).filter(
    (id) => product === undefined || operations[id].product === product,
  );

export const idempotent = operationsOfProduct().filter((id) => operations[id].idempotent);

/** A request to an operation that succeeds. Creates the objects it needs. */
export async function validRequest(tester: Tester, operation: OperationId): Promise<RequestOptions> {
  const requests: Record<OperationWithInput, () => Promise<RequestOptions>> = {
    sendEmail: async () => ({ body: message(tester) }),
    sendBatch: async () => ({ body: batchOf(message(tester)) }),
    getEmail: async () => ({ path: { id: await tester.once("a sent message", send) } }),
    rescheduleEmail: async () => ({
      path: { id: await tester.once("a scheduled message", schedule) },
      body: { scheduled_at: secondsAhead(tester, 7200) },
    }),
    cancelEmail: async () => ({ path: { id: await schedule(tester) } }),
    upsertContact: async () => ({ body: newContactBody(tester) }),
    getContact: async () => ({ path: { email: await tester.once("a contact", addContact) } }),
    unsubscribeContact: async () => ({ path: { email: await addContact(tester) }, body: {} }),
  };
  return operation in requests ? requests[operation as OperationWithInput]() : {};
}

const lightest = ["getMe", "listNewsletterLists", "listCustomFields", "sendEmail", "upsertContact"] as const;

/** The operation of the run that changes the least, and needs no object. */
export const lightestOperation = ({ settings }: Pick<Tester, "settings">): OperationId =>
  lightest.find(
    (one) =>
      isInRun(settings, one) &&
      productsOfProfile(settings.profile).includes(operations[one].product) &&
      missingNeeds(settings, needsOf(one)).length === 0,
  ) ?? "getMe";

/** Sends a valid request to that operation. */
export async function lightestRequest(tester: Tester): Promise<Exchange> {
  const operation = lightestOperation(tester);
  return tester.request(operation, await validRequest(tester, operation));
}

/**
 * A valid request to each operation, to be made invalid in one way. Rejected requests change nothing, so these share
 * objects that no other case uses.
 */
export async function requestToReject(tester: Tester, operation: OperationId): Promise<RequestOptions> {
  if (operation === "unsubscribeContact")
    return { path: { email: await tester.once("a contact for rejected requests", addContact) }, body: {} };
  if (operation !== "cancelEmail" && operation !== "rescheduleEmail") return validRequest(tester, operation);
  const path = { id: await tester.once("a scheduled message for rejected requests", schedule) };
  return operation === "cancelEmail"
    ? { path }
    : { path, body: { scheduled_at: secondsAhead(tester, 7200) } };
}

/** The response to a valid request, sent once per run. */
export const okResponse = (tester: Tester, operation: OperationId): Promise<Exchange> =>
  tester.once(`a successful response of ${operation}`, async (own) =>
    own.request(operation, await validRequest(own, operation)),
  );

/** What a valid request needs from the configuration. */
export function needsOf(operation: OperationId): Need[] {
  if (operations[operation].product === "email") return [...emailNeeds];
  return operation.endsWith("Contact") ? ["lists.plain"] : [];
}

/**
 * One test case per operation, with its name and the suffix as title.
 * @param core the operations that the profile `core` includes
 */
export function casePerOperation(
  ids: readonly OperationId[],
  core: readonly OperationId[],
  ...rest: [RunCase] | [{ suffix?: string; needs?: readonly Need[] }, RunCase]
): TestCase[] {
  const [{ suffix = "", needs = [] }, run] = rest.length === 1 ? [{}, rest[0]] : rest;
  return ids.map((operation) => ({
    title: operation + suffix,
    operation,
    core: core.includes(operation),
    needs: [...needsOf(operation), ...needs],
    run: (tester) => run(tester, operation),
  }));
}

type RunCase = (tester: Tester, operation: OperationId) => Promise<unknown>;

/** Values for all path parameters of an operation, for requests that are rejected before any lookup. */
export const anyPath = (operation: OperationId): Record<string, string> =>
  Object.fromEntries(operations[operation].pathParameters.map((name) => [name, "anything@example.com"]));

export const newIdempotencyKey = (tester: Tester): Record<string, string> => ({
  "Idempotency-Key": tester.run.unique(),
});

export const requestWithKey = async (tester: Tester, operation: OperationId): Promise<RequestOptions> => ({
  ...(await validRequest(tester, operation)),
  headers: newIdempotencyKey(tester),
});

export function assertNotReplayed(exchange: Exchange): void {
  assert(exchange.headers["idempotent-replayed"] !== "true", exchange, {
    expected: "a response that is not a replay",
    found: "Idempotent-Replayed: true",
  });
}
