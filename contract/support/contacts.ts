import { assert, configured } from "../engine/assert.ts";
import type { Fixtures } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, format, requestOk } from "./assertions.ts";

/** A new email address for a contact. */
export const newContact = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${tester.settings.fixtures.contactDomain ?? "example.com"}`;

/** Adds a contact to a list (default: without double opt-in) and returns its email address. */
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

export async function getContact(tester: Tester, email: string): Promise<Record<string, unknown>> {
  return bodyOf(await requestOk(tester, "getContact", { path: { email } }));
}

/** The membership of one list in a contact record; undefined if there is none. */
export const membershipOf = (
  record: Record<string, unknown>,
  list: number | undefined,
): Record<string, unknown> | undefined =>
  (Array.isArray(record.lists) ? (record.lists as Record<string, unknown>[]) : []).find(
    // A list_id returned as text fails another check, not everything that searches for the list.
    (one) => list !== undefined && Number(one?.list_id) === list,
  );

export type Membership = Record<string, unknown>;

/** The id of a configured list. */
export const listId = (tester: Tester, name: keyof NonNullable<Fixtures["lists"]>): number =>
  configured(tester.settings.fixtures.lists?.[name], `lists.${name}`);

export const upsert = (
  tester: Tester,
  email: string,
  list: number,
  details: Record<string, unknown> = {},
): Promise<Exchange> => requestOk(tester, "upsertContact", { body: { email, list_id: list, ...details } });

export const lookUpContact = (tester: Tester, email: string): Promise<Exchange> =>
  requestOk(tester, "getContact", { path: { email } });

/** Unsubscribes a contact from one list or, without one, from everything. */
export const unsubscribe = (tester: Tester, email: string, list?: number): Promise<Exchange> =>
  requestOk(tester, "unsubscribeContact", {
    path: { email },
    body: list === undefined ? {} : { list_id: list },
  });

/** The membership of a list in a response with a contact record. */
export function membership(exchange: Exchange, list: number): Membership {
  const found = membershipOf(bodyOf(exchange), list);
  assert(found !== undefined, exchange, {
    expected: `a membership of list ${list}`,
    found: `lists ${format(bodyOf(exchange).lists)}`,
  });
  return found;
}

/** Asserts the status of a membership; `list` selects it in a contact record. */
export function assertMembershipStatus(
  exchange: Exchange,
  status: string | readonly string[],
  list?: number,
): void {
  const { status: found } = list === undefined ? bodyOf(exchange) : membership(exchange, list);
  const wanted = [status].flat();
  assert(wanted.includes(String(found)), exchange, {
    expected: `status ${wanted.join(" or ")}${list === undefined ? "" : ` on list ${list}`}`,
    found: format(found),
  });
}

export function assertUnsubscribed(exchange: Exchange, lists: readonly number[]): void {
  for (const list of lists) assertMembershipStatus(exchange, "unsubscribed", list);
}

const long = 86_400_000;

/** Asserts a plausible time: the server's own, give or take a day. */
export function assertRecent(tester: Tester, exchange: Exchange, name: string, found: unknown): void {
  const time = typeof found === "string" ? Date.parse(found) : Number.NaN;
  assert(Math.abs(time - tester.run.now()) < long, exchange, {
    expected: `${name}, the time of the change`,
    found: format(found),
  });
}

/** The key of an undefined custom field. */
export const unknownFieldKey = (tester: Tester): string =>
  `contract_${tester.run.unique().replaceAll("-", "_")}`;

/** A list id far above the configured ones. */
export const unknownListId = ({ settings }: Tester): number =>
  Math.max(0, ...Object.values(settings.fixtures.lists ?? {})) + 987_654;

export const needsList = ["lists.plain"] as const;
export const needsTwoLists = ["lists.plain", "lists.second"] as const;
export const needsOptInList = ["lists.doubleOptIn"] as const;
