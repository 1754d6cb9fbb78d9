import { configured } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { idOf, requestOk } from "./assertions.ts";
import { addContact, listId, lookUpContact, needsList, newContact, unsubscribe, upsert } from "./contacts.ts";
import { plainListOf } from "./lists.ts";
import { message, secondsAhead, senderOf } from "./messages.ts";

/** The role of the second account. */
export const otherAccount = "otherAccount";

const key = { key: otherAccount } as const;

/** A message from the domain of the other account. */
export const messageOfOther = (
  tester: Tester,
  changes: Record<string, unknown> = {},
): Record<string, unknown> => message(tester, { from: senderOf(tester, otherAccount), ...changes });

/** A new contact of the other account, on one of its lists. */
async function addContactOfOther(tester: Tester, email = newContact(tester)): Promise<Exchange> {
  const list_id = await plainListOf(tester, otherAccount);
  return requestOk(tester, "upsertContact", { ...key, body: { email, list_id } });
}

const lookUpOfOther = (tester: Tester, email: string): Promise<Exchange> =>
  requestOk(tester, "getContact", { ...key, path: { email } });

/** Requests of the main account for a scheduled message of the other account, and the message afterwards. */
export const requestsForMessageOfOther = (tester: Tester) =>
  tester.once("requests for a message of another account", async (own) => {
    const body = messageOfOther(own, { scheduled_at: secondsAhead(own, 3600) });
    const path = { id: idOf(await requestOk(own, "sendEmail", { ...key, body })) };
    const before = await requestOk(own, "getEmail", { ...key, path });
    const scheduled_at = secondsAhead(own, 7200);
    const responses = {
      getEmail: await own.request("getEmail", { path }),
      rescheduleEmail: await own.request("rescheduleEmail", { path, body: { scheduled_at } }),
      cancelEmail: await own.request("cancelEmail", { path }),
    };
    const after = await requestOk(own, "getEmail", { ...key, path });
    await own.request("cancelEmail", { ...key, path });
    return { before, responses, after };
  });

/** Requests of the main account for a contact that only the other account has, and the contact afterwards. */
export const requestsForContactOfOther = (tester: Tester) =>
  tester.once("requests for a contact of another account", async (own) => {
    const email = newContact(own);
    await addContactOfOther(own, email);
    const path = { email };
    const responses = {
      getContact: await own.request("getContact", { path }),
      unsubscribeContact: await own.request("unsubscribeContact", { path, body: {} }),
      "unsubscribeContact, from a list": await own.request("unsubscribeContact", {
        path,
        body: { list_id: listId(own, "plain") },
      }),
    };
    return { responses, list: await plainListOf(own, otherAccount), after: await lookUpOfOther(own, email) };
  });

/** What each account stores on a contact that both have. */
export const detailsOf = {
  main: { first_name: "Ada", last_name: "Lovelace", tags: ["contract-bread"] },
  other: { first_name: "Grace", last_name: "Hopper", tags: ["contract-tea"] },
} as const;

/** A contact of the main account with details that is added to the other account without any; each then changes its own. */
export const contactOfTwoAccounts = (tester: Tester) =>
  tester.once("a contact of two accounts", async (own) => {
    const [list, otherList] = [listId(own, "plain"), await plainListOf(own, otherAccount)];
    const { text } = own.settings.fixtures.fields ?? {};
    const fields = text === undefined ? {} : { fields: { [text]: "Leeds" } };
    const email = await addContact(own, { ...detailsOf.main, ...fields });
    const added = await addContactOfOther(own, email);
    const body = { email, list_id: otherList, ...detailsOf.other };
    const updated = await requestOk(own, "upsertContact", { ...key, body });
    const between = await lookUpContact(own, email);
    const rejected = await own.request("unsubscribeContact", {
      path: { email },
      body: { list_id: otherList },
    });
    const afterRejection = await lookUpOfOther(own, email);
    await requestOk(own, "unsubscribeContact", { ...key, path: { email }, body: {} });
    const found = await lookUpContact(own, email);
    return { list, otherList, text, added, updated, between, rejected, afterRejection, found };
  });

/** Contacts that unsubscribe from the main account, before and after they are added to the other one. */
export const contactsLeavingMain = (tester: Tester) =>
  tester.once("contacts that leave one of two accounts", async (own) => {
    const list = await plainListOf(own, otherAccount);
    const [early, late] = [await addContact(own), await addContact(own)];
    await unsubscribe(own, early);
    const added = await addContactOfOther(own, early);
    await addContactOfOther(own, late);
    await unsubscribe(own, late);
    return { list, added, early: await lookUpOfOther(own, early), late: await lookUpOfOther(own, late) };
  });

/** A contact of the main account that is sent with other details for a list of the other account. */
export const contactForListOfOther = (tester: Tester) =>
  tester.once("a contact for a list of another account", async (own) => {
    const [list, list_id] = [listId(own, "plain"), await plainListOf(own, otherAccount)];
    const email = newContact(own);
    await upsert(own, email, list, detailsOf.main);
    const response = await own.request("upsertContact", { body: { email, list_id, ...detailsOf.other } });
    return {
      list,
      response,
      after: await lookUpContact(own, email),
      atOther: await own.request("getContact", { ...key, path: { email } }),
    };
  });

/** A custom field of the main account that the other one does not have; undefined if there is none. */
export function fieldOnlyOfMain(
  tester: Tester,
  ofOther: readonly Record<string, unknown>[],
): string | undefined {
  const keys = Object.values(configured(tester.settings.fixtures.fields, "fields"));
  return keys.find((one) => !ofOther.some((field) => field.key === one));
}

export const needsContactsOfBoth = [...needsList, "keys.otherAccount"] as const;
