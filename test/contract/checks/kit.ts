import { type OperationId, operations } from "../../../generated/operations.ts";
import { assert, configured } from "../engine/assert.ts";
import type { Need, TestCase } from "../engine/check.ts";
import type { RequestOptions } from "../engine/exchange.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
import { Unreachable } from "../engine/http.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";

/** The parts of a simulated recipient's address before the @ (Simulated recipients). */
export type SimulatedRecipient = "success" | "bounce" | "complaint" | "suppressionlist";

/** The address of a simulated recipient. */
export const simulatedRecipient = (tester: Tester, local: SimulatedRecipient = "success"): string =>
  `${local}@${configured(tester.settings.fixtures.simulatorDomain, "simulatorDomain")}`;

/** An address that nobody has used before, to write to. */
export const newRecipient = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${configured(tester.settings.fixtures.recipientDomain, "recipientDomain")}`;

/** An address on the domain that the account has verified. */
export const sender = (tester: Tester): string =>
  `contract@${configured(tester.settings.fixtures.domains?.verified, "domains.verified")}`;

/** The smallest message that can be sent, to the simulated recipient `success`, and what is to be different about it. */
export const message = (tester: Tester, changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  from: "from" in changes ? changes.from : sender(tester),
  to: "to" in changes ? changes.to : [simulatedRecipient(tester)],
  subject: `Contract check ${tester.run.unique()}`,
  text: "Sent by a check of the contract.",
  ...changes,
});

/** A message as a batch takes it: another one than in a single send, so that the two are never the same request. */
export const batchOf = (...messages: Record<string, unknown>[]): { emails: Record<string, unknown>[] } => ({
  emails: messages,
});

/** Calls an operation and expects success. */
export async function requestOk(
  tester: Tester,
  operation: OperationId,
  asked: RequestOptions = {},
): Promise<Exchange> {
  const exchange = await tester.request(operation, asked);
  assertSuccess(exchange);
  return exchange;
}

/** Sends a message, and expects that it is taken; gives the id. */
export async function send(
  tester: Tester,
  changes: Record<string, unknown> = {},
  asked: RequestOptions = {},
): Promise<string> {
  return idOf(await requestOk(tester, "sendEmail", { ...asked, body: message(tester, changes) }));
}

/** Sends a message for later: in an hour, unless told otherwise; gives the id. */
export const schedule = (
  tester: Tester,
  seconds = 3600,
  changes: Record<string, unknown> = {},
): Promise<string> => send(tester, { scheduled_at: secondsAhead(tester, seconds), ...changes });

/** A time so many seconds ahead of the server's, in whole seconds. */
export const secondsAhead = (tester: Tester, seconds: number): string =>
  new Date(Math.ceil(tester.run.now() / 1000) * 1000 + seconds * 1000).toISOString().replace(".000Z", "Z");

/** The record of a message, looked up by its id. */
export async function getMessage(tester: Tester, id: string): Promise<Record<string, unknown>> {
  return bodyOf(await requestOk(tester, "getEmail", { path: { id } }));
}

/** Looks a message up until its status is one of these, or the deadline has passed; gives what was found last. */
export const waitForStatus = (
  tester: Tester,
  id: string,
  statuses: readonly string[],
  deadline = tester.settings.deadlines.delivery,
): Promise<Exchange> =>
  tester.until(
    () => requestOk(tester, "getEmail", { path: { id } }),
    ({ json }) => statuses.includes(String((json as { status?: unknown } | undefined)?.status)),
    deadline,
  );

/** An address that nobody has used before, for a contact. */
export const newContact = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${tester.settings.fixtures.contactDomain ?? "example.com"}`;

/** The id in an answer. */
export const idOf = (exchange: Exchange): string => {
  const { id } = bodyOf(exchange);
  assert(typeof id === "string" && id !== "", exchange, { expected: "an id", found: format(id) });
  return id;
};

/** The body of an answer, which must be an object. */
export function bodyOf(exchange: Exchange): Record<string, unknown> {
  const { json } = exchange;
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  assert(isObject, exchange, { expected: "an object as the body", found: format(json) });
  return json as Record<string, unknown>;
}

/** The answer is one of success. */
export function assertSuccess(exchange: Exchange): void {
  assert(isSuccess(exchange), exchange, { expected: "success", found: failureIn(exchange) });
}

/** The answer is a failure of this status and type. */
export function assertError(exchange: Exchange, status: number | readonly number[], type: string): void {
  const statuses = [status].flat();
  assert(statuses.includes(exchange.status) && errorOf(exchange)?.type === type, exchange, {
    expected: `${statuses.join(" or ")} ${type}`,
    found: isSuccess(exchange) ? `status ${exchange.status}` : failureIn(exchange),
  });
}

/**
 * The answer to a call that the hook `failNext` was to let fail. A success that has no error in it says nothing of the server.
 * @throws Unreachable where the hook had no effect
 */
export function assertFailNextWorked(exchange: Exchange): Exchange {
  if (isSuccess(exchange) && errorOf(exchange) === undefined)
    throw new Unreachable(
      `hooks.failNext had no effect: the call after it, ${exchange.request.method} ${exchange.request.path}, was answered ${exchange.status}.`,
    );
  return exchange;
}

/** A part of an answer is what it must be. */
export function assertEqual(
  exchange: Exchange | undefined,
  name: string,
  found: unknown,
  expected: unknown,
): void {
  assert(JSON.stringify(sorted(found)) === JSON.stringify(sorted(expected)), exchange, {
    expected: `${name} ${format(expected)}`,
    found: format(found),
  });
}

const failureIn = (exchange: Exchange): string => {
  const error = errorOf(exchange);
  return `status ${exchange.status}${error === undefined ? "" : ` ${String(error.type)}: ${String(error.message)}`}`;
};

/** A value in a few words. */
export const format = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 200 ? text : `${text.slice(0, 160)}... (${text.length} characters)`;
};

/** With the names of objects in alphabetical order: in JSON their order means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The operations of a product; all of them where none is named. */
export const operationsOfProduct = (product?: string): OperationId[] =>
  (Object.keys(operations) as OperationId[]).filter(
    (id) => product === undefined || operations[id].product === product,
  );

/** A call of each operation that succeeds: objects that it needs are made first. */
export async function validRequest(tester: Tester, operation: OperationId): Promise<RequestOptions> {
  const list_id = () => configured(tester.settings.fixtures.lists?.plain, "lists.plain");
  const calls: Record<OperationId, () => Promise<RequestOptions>> = {
    sendEmail: async () => ({ body: message(tester) }),
    sendBatch: async () => ({ body: batchOf(message(tester)) }),
    getEmail: async () => ({ path: { id: await tester.once("a sent message", send) } }),
    rescheduleEmail: async () => ({
      path: { id: await tester.once("a scheduled message", schedule) },
      body: { scheduled_at: secondsAhead(tester, 7200) },
    }),
    cancelEmail: async () => ({ path: { id: await schedule(tester) } }),
    listNewsletterLists: async () => ({}),
    listCustomFields: async () => ({}),
    upsertContact: async () => ({ body: { email: newContact(tester), list_id: list_id() } }),
    getContact: async () => ({ path: { email: await tester.once("a contact", addContact) } }),
    unsubscribeContact: async () => ({ path: { email: await addContact(tester) }, body: {} }),
    getMe: async () => ({}),
  };
  return calls[operation]();
}

/** Adds a contact to the list without double opt-in (or another one), and expects that it is taken; gives its address. */
export async function addContact(
  tester: Tester,
  changes: Record<string, unknown> = {},
  list = tester.settings.fixtures.lists?.plain,
): Promise<string> {
  const email = newContact(tester);
  await requestOk(tester, "upsertContact", {
    body: { email, list_id: configured(list, "lists.plain"), ...changes },
  });
  return email;
}

/** The record of a contact. */
export async function getContact(tester: Tester, email: string): Promise<Record<string, unknown>> {
  return bodyOf(await requestOk(tester, "getContact", { path: { email } }));
}

/** The membership of one list in a contact record; undefined where there is none. */
export const membershipOf = (
  record: Record<string, unknown>,
  list: number | undefined,
): Record<string, unknown> | undefined =>
  (Array.isArray(record.lists) ? (record.lists as Record<string, unknown>[]) : []).find(
    // A whole number written as a text is a fault of its own, not that of everything that looks for the list.
    (one) => list !== undefined && Number(one?.list_id) === list,
  );

/**
 * A call of each operation with which nothing is wrong, for checks that make one thing wrong about it. Refused calls change
 * nothing, so that all of them are about the same objects, which nothing else looks at.
 */
export async function requestToReject(tester: Tester, operation: OperationId): Promise<RequestOptions> {
  if (operation === "cancelEmail" || operation === "rescheduleEmail") {
    const path = { id: await tester.once("a scheduled message for rejected requests", schedule) };
    return operation === "cancelEmail"
      ? { path }
      : { path, body: { scheduled_at: secondsAhead(tester, 7200) } };
  }
  if (operation !== "unsubscribeContact") return validRequest(tester, operation);
  return { path: { email: await tester.once("a contact for rejected requests", addContact) }, body: {} };
}

/** The answer to a good call of each operation, made once in a run. */
export const okResponse = (tester: Tester, operation: OperationId): Promise<Exchange> =>
  tester.once(`a good answer of ${operation}`, async (own) =>
    own.request(operation, await validRequest(own, operation)),
  );

/** An address on the domain that the account of a role has verified. */
export const senderOf = (tester: Tester, role: Role): string =>
  `contract@${configured(tester.settings.fixtures.domains?.ofRole?.[role], `domains.ofRole.${role}`)}`;

/** What a good call of an operation needs of the configuration. */
export function needsOf(operation: OperationId): Need[] {
  if (operations[operation].product === "email") return ["domains.verified", "simulatorDomain"];
  return operation.endsWith("Contact") ? ["lists.plain"] : [];
}

/**
 * A trial of each operation, called like it.
 *
 * @param core the operations that the profile `core` tries
 */
export const casePerOperation = (
  ids: readonly OperationId[],
  core: readonly OperationId[],
  run: (tester: Tester, operation: OperationId) => Promise<unknown>,
): TestCase[] =>
  ids.map((operation) => ({
    title: operation,
    operation,
    core: core.includes(operation),
    needs: needsOf(operation),
    run: (tester) => run(tester, operation),
  }));

/** Values for all path parameters of an operation, for requests that must be rejected before anything is looked up. */
export const anyPath = (operation: OperationId): Record<string, string> =>
  Object.fromEntries(operations[operation].pathParameters.map((name) => [name, "anything@example.com"]));
