import { limits } from "../../generated/limits.ts";
import { assert, configured, NotVerified } from "../engine/assert.ts";
import { scenario } from "../engine/check.ts";
import { type Fixtures, isInRun } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { assertEqual, assertError, bodyOf, entriesIn, format, type Json, requestOk } from "./assertions.ts";

export const needsList = ["lists.plain"] as const;
export const needsTwoLists = ["lists.plain", "lists.second"] as const;
export const needsOptInList = ["lists.doubleOptIn"] as const;

export const newContact = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${tester.settings.fixtures.contactDomain ?? "example.com"}`;

/** Adds a contact to a list (default: without double opt-in) and returns its email address. */
export async function addContact(tester: Tester, details: Json = {}, list = listId(tester, "plain")) {
  const email = newContact(tester);
  await upsert(tester, email, list, details);
  return email;
}

/** The body that adds a new contact to the list without double opt-in. */
export const newContactBody = (tester: Tester, details: Json = {}) => ({
  email: newContact(tester),
  list_id: listId(tester, "plain"),
  ...details,
});

export const assertNoContact = async (tester: Tester, email: string): Promise<void> =>
  assertError(await tester.request("getContact", { path: { email } }), 404, "not_found");

export const listId = (tester: Tester, name: keyof NonNullable<Fixtures["lists"]>): number =>
  configured(tester.settings.fixtures.lists?.[name], `lists.${name}`);

export const upsert = (tester: Tester, email: string, list_id: number, details: Json = {}) =>
  requestOk(tester, "upsertContact", { body: { email, list_id, ...details } });

export const lookUpContact = (tester: Tester, email: string): Promise<Exchange> =>
  requestOk(tester, "getContact", { path: { email } });

/** A response with the membership of a contact: a lookup or, if the run has none, an update that changes nothing. */
export const showMembership = (tester: Tester, email: string, list: number): Promise<Exchange> =>
  isInRun(tester.settings, "getContact") ? lookUpContact(tester, email) : upsert(tester, email, list);

/** Unsubscribes a contact from one list or, without one, from everything. */
export const unsubscribe = (tester: Tester, email: string, list_id?: number): Promise<Exchange> =>
  requestOk(tester, "unsubscribeContact", { path: { email }, body: { list_id } });

/** The membership of a list in a response: one of a contact record, or that which was added or updated. */
export function membership(exchange: Exchange, list: number): Json {
  if (exchange.request.operation === "upsertContact") return bodyOf(exchange);
  const lists = entriesIn(exchange, "lists");
  // A list_id returned as text fails another check, not everything that searches for the list.
  const found = lists.find(({ list_id }) => Number(list_id) === list);
  const expected = `a membership of list ${list}`;
  assert(found !== undefined, exchange, { expected, found: `lists ${format(lists)}` });
  return found;
}

export const assertMembershipStatus = (exchange: Exchange, status: string, list: number, since = ""): void =>
  assertEqual(exchange, `status on list ${list}${since}`, membership(exchange, list).status, status);

/** Asserts that a contact record has memberships of these lists and no others. */
export function assertLists(exchange: Exchange, ...lists: readonly number[]): void {
  const ids = entriesIn(exchange, "lists").map(({ list_id }) => Number(list_id));
  const inOrder = (all: readonly number[]): number[] => all.toSorted((one, other) => one - other);
  assertEqual(exchange, "lists", inOrder(ids), inOrder(lists));
}

/** Milliseconds: clocks and requests are not so far apart; times of other time zones are. */
const near = 10 * 60_000;

/**
 * Asserts the time of a change in a membership: the server's own, not a local one.
 * @param changed the response to the change
 */
export function assertRecent(
  exchange: Exchange,
  name: "subscribed_at" | "unsubscribed_at",
  list: number,
  { serverTime = exchange.startedAt }: Exchange = exchange,
): void {
  const { [name]: found } = membership(exchange, list);
  const time = typeof found === "string" ? Date.parse(found) : Number.NaN;
  const [from, to] = [serverTime - near, serverTime + near].map((at) => new Date(at).toISOString());
  assert(Math.abs(time - serverTime) < near, exchange, {
    expected: `${name} from ${from} to ${to}, the time of the change`,
    found: format(found),
  });
}

export const unknownFieldKey = (tester: Tester) => `contract_${tester.run.unique().replaceAll("-", "_")}`;

/** A list id far above the configured ones. */
export const unknownListId = ({ settings }: Tester): number =>
  Math.max(0, ...Object.values(settings.fixtures.lists ?? {})) + 987_654;

export const contactWithDetails = scenario("a contact with details", needsList, (tester) =>
  updatedContact(
    tester,
    { first_name: "Zoë", last_name: "van der Berg-O'Neill", tags: ["contract-bread", "contract-cake"] },
    { first_name: "Augusta", last_name: "King", tags: ["contract-tea"] },
  ),
);

/** So often is something done that must have the same result each time. */
export const manyTimes = 10;

/** A contact that is written many times, each time with other tags, now and then without a text; looked up in between, and unsubscribed. */
export const contactWrittenOften = scenario("a contact written many times", needsList, async (tester) => {
  const list = listId(tester, "plain");
  const kept = await fieldValues(tester, { number: 12.5 });
  const email = await addContact(tester, { first_name: "Ada", fields: kept });
  // As many as a request can have, each time.
  const length = limits.contactTags;
  const tags = Array.from({ length: manyTimes }, (_, time) =>
    Array.from({ length }, (__, index) => `contract-${time * length + index}`),
  );
  const updated: Exchange[] = [];
  const lookups: Exchange[] = [];
  for (const [time, own] of tags.entries()) {
    // Once cleared, it stays so in the writes without it.
    const fields = await fieldValues(tester, [{ text: "Leeds" }, { text: null }][time % 5] ?? {});
    updated.push(await upsert(tester, email, list, { tags: own, fields }));
    if (time < 3) lookups.push(await lookUpContact(tester, email));
  }
  const found = await lookUpContact(tester, email);
  await unsubscribe(tester, email, list);
  const again = await unsubscribe(tester, email, list);
  return { list, tags, kept, updated, lookups, found, again, left: await lookUpContact(tester, email) };
});

/** One of each type. */
const sampleFields = { text: "Leeds", number: 12.5, date: "1985-06-30", url: "https://example.com/zoe" };

/** A contact with custom fields, one of which the update clears. */
export const contactWithFields = scenario("a contact with custom fields", needsList, async (tester) => {
  const first = await fieldValues(tester, sampleFields);
  const second = await fieldValues(tester, { text: null, date: "1990-10-05" });
  return updatedContact(tester, { fields: first }, { fields: second });
});

/** Whether numbers in custom fields are numbers in JSON or texts is unspecified. */
export const takesNumbers = (tester: Tester): Promise<boolean> =>
  tester.once("whether custom fields take numbers", async (own) => {
    const key = configured(own.settings.fixtures.fields?.number, "fields.number");
    const body = newContactBody(own, { fields: { [key]: 7 } });
    return isSuccess(await own.request("upsertContact", { body }));
  });

/** Values for the configured custom fields; a number only if the server takes it. */
async function fieldValues(
  tester: Tester,
  values: Partial<Record<"text" | "number" | "date" | "url", string | number | null>>,
) {
  const { fields = {} } = tester.settings.fixtures;
  const isTaken = fields.number !== undefined && "number" in values && (await takesNumbers(tester));
  const pairs = Object.entries(values).flatMap(([type, value]) => {
    const key = fields[type as keyof typeof values];
    return key === undefined || (type === "number" && !isTaken) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** A contact added with some details, updated with others, and looked up. */
async function updatedContact<First extends Json, Second extends Json>(
  tester: Tester,
  first: First,
  second: Second,
) {
  const list = listId(tester, "plain");
  const email = newContact(tester);
  const added = await upsert(tester, email, list, first);
  const updated = await upsert(tester, email, list, second);
  return { list, email, first, second, added, updated, found: await lookUpContact(tester, email) };
}

/** A contact added with its email address in upper case and a plus sign, updated in lower case, and looked up. */
export const contactInCapitals = scenario("a contact in upper case", needsList, async (tester) => {
  const list = listId(tester, "plain");
  const email = newContact(tester).replace("@", "+mailing@");
  const added = await upsert(tester, email.toUpperCase(), list);
  const updated = await upsert(tester, email, list);
  const found = await lookUpContact(tester, email);
  const path = { email: email.toUpperCase() };
  return { list, email, added, updated, found, inCapitals: await tester.request("getContact", { path }) };
});

/** A contact of a list with double opt-in: added, updated, looked up, unsubscribed, and added again. */
export const pendingContact = scenario("a pending contact", needsOptInList, async (tester) => {
  const list = listId(tester, "doubleOptIn");
  const email = newContact(tester);
  return {
    list,
    added: await upsert(tester, email, list),
    updated: await upsert(tester, email, list, { first_name: "Petra" }),
    found: await lookUpContact(tester, email),
    unsubscribed: await unsubscribe(tester, email, list),
    readded: await upsert(tester, email, list),
  };
});

/** A contact of two lists: unsubscribed from one, and added to it again. */
export const unsubscribedFromOne = scenario("unsubscribed from one list", needsTwoLists, async (tester) => {
  const [list, other] = [listId(tester, "plain"), listId(tester, "second")];
  const email = newContact(tester);
  return {
    list,
    other,
    email,
    added: await upsert(tester, email, list),
    addedToOther: await upsert(tester, email, other, { fields: await fieldValues(tester, sampleFields) }),
    before: await lookUpContact(tester, email),
    unsubscribed: await unsubscribe(tester, email, list),
    after: await lookUpContact(tester, email),
    readded: await upsert(tester, email, list, { first_name: "Back" }),
    final: await lookUpContact(tester, email),
  };
});

/** A contact unsubscribed from everything, then added to a previous and to a new list. */
export const unsubscribedFromAll = scenario("unsubscribed from everything", needsList, async (tester) => {
  const { second, doubleOptIn } = tester.settings.fixtures.lists ?? {};
  const list = listId(tester, "plain");
  const lists = doubleOptIn === undefined ? [list] : [list, doubleOptIn];
  const email = newContact(tester);
  const fields = await fieldValues(tester, sampleFields);
  for (const one of lists) await upsert(tester, email, one, { fields });
  return {
    list,
    fields,
    lists,
    other: second,
    email,
    unsubscribed: await unsubscribe(tester, email),
    after: await lookUpContact(tester, email),
    readded: await upsert(tester, email, list, { first_name: "Back" }),
    addedToOther: second === undefined ? undefined : await upsert(tester, email, second),
    updated: await upsert(tester, email, list, { first_name: "Ada" }),
    final: await lookUpContact(tester, email),
  };
});

/**
 * The configured contact in a state that no request reaches: looked up, updated, and looked up.
 * @throws NotVerified if it was unsubscribed before
 */
export const contactInState = (state: "cleaned" | "complained") =>
  scenario(`the ${state} contact`, [`contacts.${state}`], async (tester) => {
    const { email, list } = configured(tester.settings.fixtures.contacts?.[state], `contacts.${state}`);
    const found = await lookUpContact(tester, email);
    if (membership(found, list).status === "unsubscribed")
      throw new NotVerified(`contacts.${state} is no longer ${state}: an earlier run unsubscribed it.`);
    return {
      email,
      list,
      found,
      updated: await upsert(tester, email, list, newDetails(tester)),
      afterUpdate: await lookUpContact(tester, email),
    };
  });

/** Details of every kind and a consent: none of them changes a status. */
export function newDetails({ settings }: Tester): Json {
  const { text } = settings.fixtures.fields ?? {};
  return {
    first_name: "Again",
    last_name: "Once",
    tags: ["contract-again"],
    ...(text === undefined ? {} : { fields: { [text]: "Leeds" } }),
    consent: { detail: "Ticked the newsletter box once more." },
  };
}

/** A contact that left one list, and confirms on another one. */
export const confirmedAfterLeaving = scenario(
  "a contact that confirms on one list after it left another",
  [...needsList, ...needsOptInList, "hooks.confirm"],
  async (tester) => {
    const [left, list] = [listId(tester, "plain"), listId(tester, "doubleOptIn")];
    const email = await addContact(tester);
    await unsubscribe(tester, email, left);
    await upsert(tester, email, list);
    const waiting = await addContact(tester, {}, list);
    const found = await confirmContact(tester, email, list);
    return { left, list, found, other: await lookUpContact(tester, waiting) };
  },
);

/** Confirms a pending contact, and looks it up until it is no longer pending. */
export async function confirmContact(tester: Tester, email: string, list: number): Promise<Exchange> {
  await tester.hook("confirm", { email, list });
  return untilConfirmed(tester, email, list);
}

export const untilConfirmed = (tester: Tester, email: string, list: number): Promise<Exchange> =>
  tester.until(
    () => lookUpContact(tester, email),
    (exchange) => membership(exchange, list).status !== "pending",
    tester.settings.deadlines.dispatch,
  );
