import type { Exchange } from "../engine/exchange.ts";
import { given, must, NotVerified } from "../engine/promise.ts";
import type { Fixtures } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { good, membershipIn, newContact, objectIn, shown } from "./kit.ts";

/** A membership as answers have it. */
export type Membership = Record<string, unknown>;

/** A list of the configuration. */
export const listOf = (tester: Tester, name: keyof NonNullable<Fixtures["lists"]>): number =>
  given(tester.settings.fixtures.lists?.[name], `lists.${name}`);

/** Adds a contact to a list or updates it there, and expects that it is taken. */
export const post = (
  tester: Tester,
  email: string,
  list: number,
  details: Record<string, unknown> = {},
): Promise<Exchange> => good(tester, "upsertContact", { body: { email, list_id: list, ...details } });

/** Looks a contact up, and expects that it is there. */
export const lookUp = (tester: Tester, email: string): Promise<Exchange> =>
  good(tester, "getContact", { part: email });

/** Unsubscribes a contact from one list, or from everything, and expects that it is done. */
export const leave = (tester: Tester, email: string, list?: number): Promise<Exchange> =>
  good(tester, "unsubscribeContact", { part: email, body: list === undefined ? {} : { list_id: list } });

/** The membership of a list in an answer with a whole contact. */
export function membership(exchange: Exchange, list: number): Membership {
  const found = membershipIn(objectIn(exchange), list);
  must(found !== undefined, exchange, {
    expected: `a membership of list ${list}`,
    found: `lists ${shown(objectIn(exchange).lists)}`,
  });
  return found;
}

/** The status of a membership is one of these; an answer with a whole contact needs the list, to find it. */
export function hasStatus(exchange: Exchange, status: string | readonly string[], list?: number): void {
  const { status: found } = list === undefined ? objectIn(exchange) : membership(exchange, list);
  const wanted = [status].flat();
  must(wanted.includes(String(found)), exchange, {
    expected: `status ${wanted.join(" or ")}${list === undefined ? "" : ` on list ${list}`}`,
    found: shown(found),
  });
}

const long = 86_400_000;

/** Something is a time, and a plausible one: the server's own, give or take a day. */
export function isRecent(tester: Tester, exchange: Exchange, name: string, found: unknown): void {
  const time = typeof found === "string" ? Date.parse(found) : Number.NaN;
  must(Math.abs(time - tester.run.now()) < long, exchange, {
    expected: `${name}, the time when it happened`,
    found: shown(found),
  });
}

/** Values for the custom fields that are configured, but for the number: whether that is one in JSON is left open. */
function values(tester: Tester, given: Record<"text" | "date" | "url", unknown>): Record<string, unknown> {
  const { fields = {} } = tester.settings.fixtures;
  const pairs = (["text", "date", "url"] as const).flatMap((type) => {
    const key = fields[type];
    return key === undefined || given[type] === undefined ? [] : [[key, given[type]] as const];
  });
  return Object.fromEntries(pairs);
}

/** A contact that was added with names and tags, then updated with others, then looked up. */
export const detailed = (tester: Tester) =>
  tester.once("a contact with details", async (own) => {
    const list = listOf(own, "plain");
    const email = newContact(own);
    const first = {
      first_name: "Zoë",
      last_name: "van der Berg-O'Neill",
      tags: ["contract-bread", "contract-cake"],
    };
    const second = {
      first_name: "Augusta",
      last_name: "King",
      tags: ["contract-tea"],
    };
    return {
      list,
      email,
      first,
      second,
      added: await post(own, email, list, first),
      updated: await post(own, email, list, second),
      found: await lookUp(own, email),
    };
  });

/** A contact that was added with values of custom fields, then updated with others, of which one is cleared, then looked up. */
export const valued = (tester: Tester) =>
  tester.once("a contact with custom fields", async (own) => {
    const list = listOf(own, "plain");
    const email = newContact(own);
    const first = {
      fields: values(own, { text: "Leeds", date: "1985-02-28", url: "https://example.com/zoe" }),
    };
    const second = { fields: values(own, { text: null, date: "1990-11-05", url: undefined }) };
    return {
      list,
      first,
      second,
      added: await post(own, email, list, first),
      updated: await post(own, email, list, second),
      found: await lookUp(own, email),
    };
  });

/** A contact whose address was handed in with capitals and a plus sign, then in small letters, and then looked up. */
export const inCapitals = (tester: Tester) =>
  tester.once("a contact in capitals", async (own) => {
    const list = listOf(own, "plain");
    const email = newContact(own).replace("@", "+news@");
    return {
      email,
      added: await post(own, email.toUpperCase(), list),
      updated: await post(own, email, list),
      found: await lookUp(own, email),
    };
  });

/** A contact of a list with double opt-in: added, updated, looked up; then it leaves, and is posted once more. */
export const pending = (tester: Tester) =>
  tester.once("a pending contact", async (own) => {
    const list = listOf(own, "doubleOptIn");
    const email = newContact(own);
    return {
      list,
      added: await post(own, email, list),
      updated: await post(own, email, list, { first_name: "Petra" }),
      found: await lookUp(own, email),
      left: await leave(own, email, list),
      again: await post(own, email, list),
    };
  });

/** A contact of two lists that leaves one of them, and is posted to it once more. */
export const leftOne = (tester: Tester) =>
  tester.once("a contact that left one list", async (own) => {
    const [list, other] = [listOf(own, "plain"), listOf(own, "second")];
    const email = newContact(own);
    return {
      list,
      other,
      email,
      added: await post(own, email, list),
      addedToOther: await post(own, email, other),
      before: await lookUp(own, email),
      left: await leave(own, email, list),
      after: await lookUp(own, email),
      again: await post(own, email, list, { first_name: "Back" }),
      atLast: await lookUp(own, email),
    };
  });

/** A contact that leaves everything, and is then posted to a list it was on and to one that it was not on. */
export const leftAll = (tester: Tester) =>
  tester.once("a contact that left everything", async (own) => {
    const { plain, second, doubleOptIn } = own.settings.fixtures.lists ?? {};
    const list = given(plain, "lists.plain");
    const lists = doubleOptIn === undefined ? [list] : [list, doubleOptIn];
    const email = newContact(own);
    for (const one of lists) await post(own, email, one);
    return {
      list,
      lists,
      further: second,
      email,
      left: await leave(own, email),
      after: await lookUp(own, email),
      again: await post(own, email, list, { first_name: "Back" }),
      joined: second === undefined ? undefined : await post(own, email, second),
      atLast: await lookUp(own, email),
    };
  });

/**
 * The contact of the configuration that is in a state no call leads to: looked up, posted once more, and unsubscribed.
 * @throws NotVerified when it has been unsubscribed before
 */
export const inState = (tester: Tester, state: "cleaned" | "complained") =>
  tester.once(`the ${state} contact`, async (own) => {
    const { email, list } = given(own.settings.fixtures.contacts?.[state], `contacts.${state}`);
    const found = await lookUp(own, email);
    if (membership(found, list).status === "unsubscribed")
      throw new NotVerified(`contacts.${state} is not ${state} any more: an earlier run unsubscribed it.`);
    return {
      email,
      list,
      found,
      posted: await post(own, email, list),
      left: await leave(own, email, state === "cleaned" ? undefined : list),
    };
  });

/** The key of a custom field that the account does not have. */
export const newKey = (tester: Tester): string => `contract_${tester.run.unique().replaceAll("-", "_")}`;

/** A contact with a value for a custom field that the account does not have. */
export const newField = (tester: Tester) =>
  tester.once("a custom field that nobody defined", async (own) => {
    const key = newKey(own);
    const body = { email: newContact(own), list_id: listOf(own, "plain"), fields: { [key]: "Leeds" } };
    return { key, answer: await own.ask("upsertContact", { body }) };
  });

/** A list id that none of the account's lists has: far above those that are configured. */
export const noList = ({ settings }: Tester): number =>
  Math.max(0, ...Object.values(settings.fixtures.lists ?? {})) + 987_654;
