import { configured, NotVerified } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import {
  listId,
  lookUpContact,
  membership,
  newContact,
  unknownFieldKey,
  unsubscribe,
  upsert,
} from "./contacts.ts";

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
export const contactWithDetails = (tester: Tester) =>
  tester.once("a contact with details", async (own) => {
    const list = listId(own, "plain");
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
      added: await upsert(own, email, list, first),
      updated: await upsert(own, email, list, second),
      found: await lookUpContact(own, email),
    };
  });

/** A contact that was added with values of custom fields, then updated with others, of which one is cleared, then looked up. */
export const contactWithFields = (tester: Tester) =>
  tester.once("a contact with custom fields", async (own) => {
    const list = listId(own, "plain");
    const email = newContact(own);
    const first = {
      fields: values(own, { text: "Leeds", date: "1985-02-28", url: "https://example.com/zoe" }),
    };
    const second = { fields: values(own, { text: null, date: "1990-11-05", url: undefined }) };
    return {
      list,
      first,
      second,
      added: await upsert(own, email, list, first),
      updated: await upsert(own, email, list, second),
      found: await lookUpContact(own, email),
    };
  });

/** A contact whose address was handed in with capitals and a plus sign, then in small letters, and then looked up. */
export const contactInCapitals = (tester: Tester) =>
  tester.once("a contact in capitals", async (own) => {
    const list = listId(own, "plain");
    const email = newContact(own).replace("@", "+news@");
    return {
      email,
      added: await upsert(own, email.toUpperCase(), list),
      updated: await upsert(own, email, list),
      found: await lookUpContact(own, email),
    };
  });

/** A contact of a list with double opt-in: added, updated, looked up; then it leaves, and is posted once more. */
export const pendingContact = (tester: Tester) =>
  tester.once("a pending contact", async (own) => {
    const list = listId(own, "doubleOptIn");
    const email = newContact(own);
    return {
      list,
      added: await upsert(own, email, list),
      updated: await upsert(own, email, list, { first_name: "Petra" }),
      found: await lookUpContact(own, email),
      left: await unsubscribe(own, email, list),
      again: await upsert(own, email, list),
    };
  });

/** A contact of two lists that leaves one of them, and is posted to it once more. */
export const leftOneList = (tester: Tester) =>
  tester.once("a contact that left one list", async (own) => {
    const [list, other] = [listId(own, "plain"), listId(own, "second")];
    const email = newContact(own);
    return {
      list,
      other,
      email,
      added: await upsert(own, email, list),
      addedToOther: await upsert(own, email, other),
      before: await lookUpContact(own, email),
      left: await unsubscribe(own, email, list),
      after: await lookUpContact(own, email),
      again: await upsert(own, email, list, { first_name: "Back" }),
      atLast: await lookUpContact(own, email),
    };
  });

/** A contact that leaves everything, and is then posted to a list it was on and to one that it was not on. */
export const leftAllLists = (tester: Tester) =>
  tester.once("a contact that left everything", async (own) => {
    const { plain, second, doubleOptIn } = own.settings.fixtures.lists ?? {};
    const list = configured(plain, "lists.plain");
    const lists = doubleOptIn === undefined ? [list] : [list, doubleOptIn];
    const email = newContact(own);
    for (const one of lists) await upsert(own, email, one);
    return {
      list,
      lists,
      further: second,
      email,
      left: await unsubscribe(own, email),
      after: await lookUpContact(own, email),
      again: await upsert(own, email, list, { first_name: "Back" }),
      joined: second === undefined ? undefined : await upsert(own, email, second),
      atLast: await lookUpContact(own, email),
    };
  });

/**
 * The contact of the configuration that is in a state no call leads to: looked up, posted once more, and unsubscribed.
 * @throws NotVerified when it has been unsubscribed before
 */
export const contactInState = (tester: Tester, state: "cleaned" | "complained") =>
  tester.once(`the ${state} contact`, async (own) => {
    const { email, list } = configured(own.settings.fixtures.contacts?.[state], `contacts.${state}`);
    const found = await lookUpContact(own, email);
    if (membership(found, list).status === "unsubscribed")
      throw new NotVerified(`contacts.${state} is not ${state} any more: an earlier run unsubscribed it.`);
    return {
      email,
      list,
      found,
      posted: await upsert(own, email, list),
      left: await unsubscribe(own, email, state === "cleaned" ? undefined : list),
    };
  });

/** A contact with a value for a custom field that the account does not have. */
export const contactWithUnknownField = (tester: Tester) =>
  tester.once("a custom field that nobody defined", async (own) => {
    const key = unknownFieldKey(own);
    const email = newContact(own);
    const body = { email, list_id: listId(own, "plain"), fields: { [key]: "Leeds" } };
    return { key, email, response: await own.request("upsertContact", { body }) };
  });
