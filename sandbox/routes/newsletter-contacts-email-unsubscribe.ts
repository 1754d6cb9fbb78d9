import { schemas } from "../../generated/validators/requests.js";
import { contactAnswer } from "../answers/contact.ts";
import { unsubscribeAll, unsubscribeFrom } from "../domain/leaving.ts";
import type { Contact } from "../domain/records.ts";
import type { Exchange, Parts, Success } from "../exchange.ts";
import { type ErrorOf, fieldErrors, type Refusal, refuse, refuseFields } from "../refusal.ts";
import { faultsOf } from "../validation/field-errors.ts";
import { unknownContact } from "./newsletter-contacts-email.ts";

const unknownList = refuse("404.not_found", "This account has no list of this id.");
const notOnList = refuse("404.not_found", "The contact is not on this list.");

/** POST /api/v1/newsletter/contacts/{email}/unsubscribe: takes a contact off one list, or off everything. */
export async function unsubscribeContact(
  { account, parameters, body, now }: Exchange,
  { store, directory }: Parts,
): Promise<Success | Refusal<ErrorOf<"unsubscribeContact">>> {
  if (!schemas.UnsubscribeRequest(body)) {
    return refuseFields(fieldErrors(faultsOf(schemas.UnsubscribeRequest.errors)));
  }
  const { list_id: listId, reason = null } = body;
  if (listId !== undefined && directory.list(account.id, listId) === undefined) return unknownList;
  const email = (parameters.email ?? "").toLowerCase();
  const outcome = await store.changeContact<Refusal<"404.not_found"> | null>({
    accountId: account.id,
    email,
    now,
    work: null,
    decide(known) {
      const left = leave(known, listId, reason, now);
      if (!("memberships" in left)) return { answer: { status: 404, body: "" }, result: left };
      return { contact: left, answer: { status: 200, body: contactAnswer(left) }, result: null };
    },
  });
  if (!("answer" in outcome)) throw new Error("The store replayed work that has no name.");
  return outcome.result ?? outcome.answer;
}

function leave(
  contact: Contact | undefined,
  listId: number | undefined,
  reason: string | null,
  now: number,
): Contact | Refusal<"404.not_found"> {
  if (contact === undefined) return unknownContact;
  if (listId === undefined) return unsubscribeAll(contact, reason, now);
  return unsubscribeFrom(contact, listId, reason, now) ?? notOnList;
}
