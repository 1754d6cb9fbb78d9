import { configured, NotVerified } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { requestOk } from "./assertions.ts";
import {
  listId,
  lookUpContact,
  membership,
  newContact,
  unknownFieldKey,
  unsubscribe,
  upsert,
} from "./contacts.ts";
import { newIdempotencyKey } from "./requests.ts";

/** Values for the configured custom fields, except the number: its JSON type is unspecified. */
function values(tester: Tester, given: Record<"text" | "date" | "url", unknown>): Record<string, unknown> {
  const { fields = {} } = tester.settings.fixtures;
  const pairs = (["text", "date", "url"] as const).flatMap((type) => {
    const key = fields[type];
    return key === undefined || given[type] === undefined ? [] : [[key, given[type]] as const];
  });
  return Object.fromEntries(pairs);
}

export type Details = Record<string, unknown>;

/** A contact with names and tags. */
export const contactWithDetails = (tester: Tester) =>
  tester.once("a contact with details", (own) =>
    updatedContact(
      own,
      { first_name: "Zoë", last_name: "van der Berg-O'Neill", tags: ["contract-bread", "contract-cake"] },
      { first_name: "Augusta", last_name: "King", tags: ["contract-tea"] },
    ),
  );

/** A contact with custom fields, one of which the update clears. */
export const contactWithFields = (tester: Tester) =>
  tester.once("a contact with custom fields", (own) =>
    updatedContact(
      own,
      { fields: values(own, { text: "Leeds", date: "1985-02-28", url: "https://example.com/zoe" }) },
      { fields: values(own, { text: null, date: "1990-11-05", url: undefined }) },
    ),
  );

/** A contact added with its email address in upper case and a plus sign, updated in lower case, and looked up. */
export const contactInCapitals = (tester: Tester) =>
  tester.once("a contact in upper case", async (own) => {
    const list = listId(own, "plain");
    const email = newContact(own).replace("@", "+news@");
    return {
      email,
      added: await upsert(own, email.toUpperCase(), list),
      updated: await upsert(own, email, list),
      found: await lookUpContact(own, email),
    };
  });

/** A contact of a list with double opt-in: added, updated, looked up, unsubscribed, and added again. */
export const pendingContact = (tester: Tester) =>
  tester.once("a pending contact", async (own) => {
    const list = listId(own, "doubleOptIn");
    const email = newContact(own);
    return {
      list,
      added: await upsert(own, email, list),
      updated: await upsert(own, email, list, { first_name: "Petra" }),
      found: await lookUpContact(own, email),
      unsubscribed: await unsubscribe(own, email, list),
      readded: await upsert(own, email, list),
    };
  });

/** A contact of two lists: unsubscribed from one, and added to it again. */
export const unsubscribedFromOne = (tester: Tester) =>
  tester.once("a contact unsubscribed from one list", async (own) => {
    const [list, other] = [listId(own, "plain"), listId(own, "second")];
    const email = newContact(own);
    return {
      list,
      other,
      email,
      added: await upsert(own, email, list),
      addedToOther: await upsert(own, email, other),
      before: await lookUpContact(own, email),
      unsubscribed: await unsubscribe(own, email, list),
      after: await lookUpContact(own, email),
      readded: await upsert(own, email, list, { first_name: "Back" }),
      final: await lookUpContact(own, email),
    };
  });

/** Where the result of an unsubscribe shows: in its response, and in the contact record looked up after it. */
export const views = ["unsubscribed", "after"] as const;

export const titleOfView = { unsubscribed: "in the response", after: "in the contact record" } as const;

/** A contact unsubscribed from everything, then added to a previous and to a new list. */
export const unsubscribedFromAll = (tester: Tester) =>
  tester.once("a contact unsubscribed from everything", async (own) => {
    const { plain, second, doubleOptIn } = own.settings.fixtures.lists ?? {};
    const list = configured(plain, "lists.plain");
    const lists = doubleOptIn === undefined ? [list] : [list, doubleOptIn];
    const email = newContact(own);
    for (const one of lists) await upsert(own, email, one);
    return {
      list,
      lists,
      other: second,
      email,
      unsubscribed: await unsubscribe(own, email),
      after: await lookUpContact(own, email),
      readded: await upsert(own, email, list, { first_name: "Back" }),
      addedToOther: second === undefined ? undefined : await upsert(own, email, second),
      final: await lookUpContact(own, email),
    };
  });

/**
 * The configured contact in a state that no request reaches: looked up, updated, looked up, and unsubscribed.
 * @throws NotVerified if it was unsubscribed before
 */
export const contactInState = (tester: Tester, state: "cleaned" | "complained") =>
  tester.once(`the ${state} contact`, async (own) => {
    const { email, list } = configured(own.settings.fixtures.contacts?.[state], `contacts.${state}`);
    const found = await lookUpContact(own, email);
    if (membership(found, list).status === "unsubscribed")
      throw new NotVerified(`contacts.${state} is no longer ${state}: an earlier run unsubscribed it.`);
    return {
      email,
      list,
      found,
      updated: await upsert(own, email, list, newDetails(own)),
      afterUpdate: await lookUpContact(own, email),
      unsubscribed: await unsubscribe(own, email, state === "cleaned" ? undefined : list),
    };
  });

/** The same contact after it is unsubscribed, and after another update. */
export const unsubscribedFromState = async (tester: Tester, state: "cleaned" | "complained") => {
  const { email, list } = await contactInState(tester, state);
  return tester.once(`the unsubscribed ${state} contact`, async (own) => {
    const after = await lookUpContact(own, email);
    await upsert(own, email, list, newDetails(own));
    return { list, after, final: await lookUpContact(own, email) };
  });
};

/** A contact with a value for an undefined custom field. */
export const contactWithUnknownField = (tester: Tester) =>
  tester.once("an undefined custom field", async (own) => {
    const key = unknownFieldKey(own);
    const email = newContact(own);
    const body = { email, list_id: listId(own, "plain"), fields: { [key]: "Leeds" } };
    return { key, email, response: await own.request("upsertContact", { body }) };
  });

/** A contact on a list, and a list that it is not on. */
export interface Subject {
  email: string;
  list: number;
  other: number;
  /** The request that added it. */
  added: RequestOptions;
}

/** States that requests and the hook `confirm` lead to; `blocked` is unsubscribed from everything. */
const reachableStates = ["pending", "subscribed", "confirmed", "unsubscribed", "blocked"] as const;

export type ReachableState = (typeof reachableStates)[number];

/** The status of a membership in a state. */
export const statusIn: Record<ReachableState, string> = {
  pending: "pending",
  subscribed: "subscribed",
  confirmed: "subscribed",
  unsubscribed: "unsubscribed",
  blocked: "unsubscribed",
};

const hasOptIn = (state: ReachableState): boolean => state === "pending" || state === "confirmed";

/** Confirms a pending contact, and looks it up until it is no longer pending. */
export async function confirmContact(tester: Tester, email: string, list: number): Promise<Exchange> {
  await tester.hook("confirm", { email, list });
  return tester.until(
    () => lookUpContact(tester, email),
    (exchange) => membership(exchange, list).status !== "pending",
    tester.settings.deadlines.dispatch,
  );
}

/** Details of every kind and a consent: none of them changes a status. */
function newDetails({ settings }: Tester): Record<string, unknown> {
  const { text } = settings.fixtures.fields ?? {};
  return {
    first_name: "Again",
    last_name: "Once",
    tags: ["contract-again"],
    ...(text === undefined ? {} : { fields: { [text]: "Leeds" } }),
    consent: { detail: "Ticked the newsletter box once more." },
  };
}

/** Requests that leave the membership's status as it is, in this order. */
const writes = {
  "an update": (tester, { email, list }) => upsert(tester, email, list, newDetails(tester)),
  "an update with an idempotency key": (tester, { email, list }) =>
    requestOk(tester, "upsertContact", {
      body: { email, list_id: list },
      headers: newIdempotencyKey(tester),
    }),
  "an update in upper case": (tester, { email, list }) => upsert(tester, email.toUpperCase(), list),
  "a replay of the first request": (tester, { added }) => requestOk(tester, "upsertContact", added),
  "an update on another list": (tester, { email, other }) => upsert(tester, email, other),
  "an unsubscribe from another list": (tester, { email, other }) => unsubscribe(tester, email, other),
} satisfies Record<string, (tester: Tester, subject: Subject) => Promise<Exchange>>;

export type MembershipWrite = keyof typeof writes;

interface Written {
  response: Exchange;
  /** The contact record looked up after it. */
  after: Exchange;
}

/** A contact in a state, and what each of the requests leads to. */
export const writesIn = (tester: Tester, state: ReachableState) =>
  tester.once(`further requests for a ${state} contact`, async (own) => {
    const subject = await contactIn(own, state);
    const written = {} as Record<MembershipWrite, Written>;
    for (const name of Object.keys(writes) as MembershipWrite[]) {
      const response = await writes[name](own, subject);
      written[name] = { response, after: await lookUpContact(own, subject.email) };
    }
    return { list: subject.list, written };
  });

/** A contact in a state that is unsubscribed from its list or from everything, with a reason. */
export const unsubscribedIn = (tester: Tester, state: ReachableState, from: "list" | "everything") =>
  tester.once(`a ${state} contact unsubscribed from ${from}`, async (own) => {
    const { email, list } = await contactIn(own, state);
    const body = { ...(from === "list" && { list_id: list }), reason: "Asked for it by phone." };
    const response = await requestOk(own, "unsubscribeContact", { path: { email }, body });
    return { list, response, after: await lookUpContact(own, email) };
  });

/** A contact added with some details, updated with others, and looked up. */
async function updatedContact<First extends Details, Second extends Details>(
  own: Tester,
  first: First,
  second: Second,
) {
  const list = listId(own, "plain");
  const email = newContact(own);
  return {
    list,
    email,
    first,
    second,
    added: await upsert(own, email, list, first),
    updated: await upsert(own, email, list, second),
    found: await lookUpContact(own, email),
  };
}

async function contactIn(tester: Tester, state: ReachableState): Promise<Subject> {
  const [plain, second] = [listId(tester, "plain"), listId(tester, "second")];
  const [list, other] = hasOptIn(state) ? [listId(tester, "doubleOptIn"), plain] : [plain, second];
  const email = newContact(tester);
  const added = { body: { email, list_id: list }, headers: newIdempotencyKey(tester) };
  await requestOk(tester, "upsertContact", added);
  if (state === "confirmed") await confirmContact(tester, email, list);
  if (state === "unsubscribed") await unsubscribe(tester, email, list);
  if (state === "blocked") await unsubscribe(tester, email);
  return { email, list, other, added };
}
