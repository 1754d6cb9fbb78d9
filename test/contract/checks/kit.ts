import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Need, Trial } from "../engine/check.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
import { Unreachable } from "../engine/http.ts";
import { given, must } from "../engine/promise.ts";
import type { Role } from "../engine/settings.ts";
import type { Asked, Tester } from "../engine/tester.ts";

/** The parts of a simulated recipient's address before the @ (Simulated recipients). */
export type Simulated = "success" | "bounce" | "complaint" | "suppressionlist";

/** The address of a simulated recipient. */
export const simulated = (tester: Tester, local: Simulated = "success"): string =>
  `${local}@${given(tester.settings.fixtures.simulatorDomain, "simulatorDomain")}`;

/** An address that nobody has used before, to write to. */
export const recipient = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${given(tester.settings.fixtures.recipientDomain, "recipientDomain")}`;

/** An address on the domain that the account has verified. */
export const sender = (tester: Tester): string =>
  `contract@${given(tester.settings.fixtures.domains?.verified, "domains.verified")}`;

/** The smallest message that can be sent, to the simulated recipient `success`, and what is to be different about it. */
export const message = (tester: Tester, changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  from: "from" in changes ? changes.from : sender(tester),
  to: "to" in changes ? changes.to : [simulated(tester)],
  subject: `Contract check ${tester.run.unique()}`,
  text: "Sent by a check of the contract.",
  ...changes,
});

/** A message as a batch takes it: another one than in a single send, so that the two are never the same request. */
export const batch = (...messages: Record<string, unknown>[]): { emails: Record<string, unknown>[] } => ({
  emails: messages,
});

/** Calls an operation and expects success. */
export async function good(tester: Tester, operation: OperationId, asked: Asked = {}): Promise<Exchange> {
  const exchange = await tester.ask(operation, asked);
  succeeded(exchange);
  return exchange;
}

/** Sends a message, and expects that it is taken; gives the id. */
export async function send(
  tester: Tester,
  changes: Record<string, unknown> = {},
  asked: Asked = {},
): Promise<string> {
  return idIn(await good(tester, "sendEmail", { ...asked, body: message(tester, changes) }));
}

/** Sends a message for later: in an hour, unless told otherwise; gives the id. */
export const schedule = (
  tester: Tester,
  seconds = 3600,
  changes: Record<string, unknown> = {},
): Promise<string> => send(tester, { scheduled_at: later(tester, seconds), ...changes });

/** A time so many seconds ahead of the server's, in whole seconds. */
export const later = (tester: Tester, seconds: number): string =>
  new Date(Math.ceil(tester.run.now() / 1000) * 1000 + seconds * 1000).toISOString().replace(".000Z", "Z");

/** The record of a message, looked up by its id. */
export async function look(tester: Tester, id: string): Promise<Record<string, unknown>> {
  return objectIn(await good(tester, "getEmail", { part: id }));
}

/** Looks a message up until its status is one of these, or the deadline has passed; gives what was found last. */
export const lookUntil = (
  tester: Tester,
  id: string,
  statuses: readonly string[],
  deadline = tester.settings.deadlines.delivery,
): Promise<Exchange> =>
  tester.until(
    () => good(tester, "getEmail", { part: id }),
    ({ json }) => statuses.includes(String((json as { status?: unknown } | undefined)?.status)),
    deadline,
  );

/** An address that nobody has used before, for a contact. */
export const newContact = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${tester.settings.fixtures.contactDomain ?? "example.com"}`;

/** The id in an answer. */
export const idIn = (exchange: Exchange): string => {
  const { id } = objectIn(exchange);
  must(typeof id === "string" && id !== "", exchange, { expected: "an id", found: shown(id) });
  return id;
};

/** The body of an answer, which must be an object. */
export function objectIn(exchange: Exchange): Record<string, unknown> {
  const { json } = exchange;
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  must(isObject, exchange, { expected: "an object as the body", found: shown(json) });
  return json as Record<string, unknown>;
}

/** The answer is one of success. */
export function succeeded(exchange: Exchange): void {
  must(isSuccess(exchange), exchange, { expected: "success", found: failureIn(exchange) });
}

/** The answer is a failure of this status and type. */
export function refused(exchange: Exchange, status: number | readonly number[], type: string): void {
  const statuses = [status].flat();
  must(statuses.includes(exchange.status) && errorOf(exchange)?.type === type, exchange, {
    expected: `${statuses.join(" or ")} ${type}`,
    found: isSuccess(exchange) ? `status ${exchange.status}` : failureIn(exchange),
  });
}

/**
 * The answer to a call that the hook `failNext` was to let fail. A success that has no error in it says nothing of the server.
 * @throws Unreachable where the hook had no effect
 */
export function failedAsTold(exchange: Exchange): Exchange {
  if (isSuccess(exchange) && errorOf(exchange) === undefined)
    throw new Unreachable(
      `hooks.failNext had no effect: the call after it, ${exchange.call.method} ${exchange.call.path}, was answered ${exchange.status}.`,
    );
  return exchange;
}

/** A part of an answer is what it must be. */
export function equal(exchange: Exchange | undefined, name: string, found: unknown, expected: unknown): void {
  must(JSON.stringify(sorted(found)) === JSON.stringify(sorted(expected)), exchange, {
    expected: `${name} ${shown(expected)}`,
    found: shown(found),
  });
}

const failureIn = (exchange: Exchange): string => {
  const error = errorOf(exchange);
  return `status ${exchange.status}${error === undefined ? "" : ` ${String(error.type)}: ${String(error.message)}`}`;
};

/** A value in a few words. */
export const shown = (value: unknown): string => {
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
export async function goodCall(tester: Tester, operation: OperationId): Promise<Asked> {
  const list_id = () => given(tester.settings.fixtures.lists?.plain, "lists.plain");
  const calls: Record<OperationId, () => Promise<Asked>> = {
    sendEmail: async () => ({ body: message(tester) }),
    sendBatch: async () => ({ body: batch(message(tester)) }),
    getEmail: async () => ({ part: await tester.once("a sent message", send) }),
    rescheduleEmail: async () => ({
      part: await tester.once("a scheduled message", schedule),
      body: { scheduled_at: later(tester, 7200) },
    }),
    cancelEmail: async () => ({ part: await schedule(tester) }),
    listNewsletterLists: async () => ({}),
    listCustomFields: async () => ({}),
    upsertContact: async () => ({ body: { email: newContact(tester), list_id: list_id() } }),
    getContact: async () => ({ part: await tester.once("a contact", addContact) }),
    unsubscribeContact: async () => ({ part: await addContact(tester), body: {} }),
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
  await good(tester, "upsertContact", { body: { email, list_id: given(list, "lists.plain"), ...changes } });
  return email;
}

/** The record of a contact. */
export async function contact(tester: Tester, email: string): Promise<Record<string, unknown>> {
  return objectIn(await good(tester, "getContact", { part: email }));
}

/** The membership of one list in a contact record; undefined where there is none. */
export const membershipIn = (
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
export async function callToRefuse(tester: Tester, operation: OperationId): Promise<Asked> {
  if (operation === "cancelEmail" || operation === "rescheduleEmail") {
    const part = await tester.once("a scheduled message for refused calls", schedule);
    return operation === "cancelEmail" ? { part } : { part, body: { scheduled_at: later(tester, 7200) } };
  }
  if (operation !== "unsubscribeContact") return goodCall(tester, operation);
  return { part: await tester.once("a contact for refused calls", addContact), body: {} };
}

/** The answer to a good call of each operation, made once in a run. */
export const goodAnswer = (tester: Tester, operation: OperationId): Promise<Exchange> =>
  tester.once(`a good answer of ${operation}`, async (own) =>
    own.ask(operation, await goodCall(own, operation)),
  );

/** An address on the domain that the account of a role has verified. */
export const senderOf = (tester: Tester, role: Role): string =>
  `contract@${given(tester.settings.fixtures.domains?.ofRole?.[role], `domains.ofRole.${role}`)}`;

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
export const ofEach = (
  ids: readonly OperationId[],
  core: readonly OperationId[],
  run: (tester: Tester, operation: OperationId) => Promise<unknown>,
): Trial[] =>
  ids.map((operation) => ({
    title: operation,
    operation,
    core: core.includes(operation),
    needs: needsOf(operation),
    run: (tester) => run(tester, operation),
  }));
