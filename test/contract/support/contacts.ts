import { assert, configured } from "../engine/assert.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Fixtures } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { bodyOf, format, requestOk } from "./assertions.ts";

/** An address that nobody has used before, for a contact. */
export const newContact = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${tester.settings.fixtures.contactDomain ?? "example.com"}`;

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
    // A whole number written as a text is a fault of its own, not that of everything that lookups for the list.
    (one) => list !== undefined && Number(one?.list_id) === list,
  );

/** A membership as responses have it. */
export type Membership = Record<string, unknown>;

/** A list of the configuration. */
export const listId = (tester: Tester, name: keyof NonNullable<Fixtures["lists"]>): number =>
  configured(tester.settings.fixtures.lists?.[name], `lists.${name}`);

/** Adds a contact to a list or updates it there, and expects that it is taken. */
export const upsert = (
  tester: Tester,
  email: string,
  list: number,
  details: Record<string, unknown> = {},
): Promise<Exchange> => requestOk(tester, "upsertContact", { body: { email, list_id: list, ...details } });

/** Looks a contact up, and expects that it is there. */
export const lookUpContact = (tester: Tester, email: string): Promise<Exchange> =>
  requestOk(tester, "getContact", { path: { email } });

/** Unsubscribes a contact from one list, or from everything, and expects that it is done. */
export const unsubscribe = (tester: Tester, email: string, list?: number): Promise<Exchange> =>
  requestOk(tester, "unsubscribeContact", {
    path: { email },
    body: list === undefined ? {} : { list_id: list },
  });

/** The membership of a list in an response with a whole contact. */
export function membership(exchange: Exchange, list: number): Membership {
  const found = membershipOf(bodyOf(exchange), list);
  assert(found !== undefined, exchange, {
    expected: `a membership of list ${list}`,
    found: `lists ${format(bodyOf(exchange).lists)}`,
  });
  return found;
}

/** The status of a membership is one of these; an response with a whole contact needs the list, to find it. */
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

/** Every membership in a contact record is over. */
export function assertUnsubscribed(exchange: Exchange, lists: readonly number[]): void {
  for (const list of lists) assertMembershipStatus(exchange, "unsubscribed", list);
}

const long = 86_400_000;

/** Something is a time, and a plausible one: the server's own, give or take a day. */
export function assertRecent(tester: Tester, exchange: Exchange, name: string, found: unknown): void {
  const time = typeof found === "string" ? Date.parse(found) : Number.NaN;
  assert(Math.abs(time - tester.run.now()) < long, exchange, {
    expected: `${name}, the time when it happened`,
    found: format(found),
  });
}

/** The key of a custom field that the account does not have. */
export const unknownFieldKey = (tester: Tester): string =>
  `contract_${tester.run.unique().replaceAll("-", "_")}`;

/** A list id that none of the account's lists has: far above those that are configured. */
export const unknownListId = ({ settings }: Tester): number =>
  Math.max(0, ...Object.values(settings.fixtures.lists ?? {})) + 987_654;
