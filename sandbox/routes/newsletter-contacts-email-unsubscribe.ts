import type { components } from "../../generated/types.ts";
import { schemas } from "../../generated/validators/requests.js";
import type { OperationContext, Outcome, Services } from "../api/context.ts";
import { type ErrorResponse, errorResponse, invalidFields } from "../api/error-response.ts";
import { unsubscribeAll, unsubscribeFrom } from "../domain/leaving.ts";
import type { Contact } from "../domain/records.ts";
import { renderContact } from "../responses/contact.ts";
import { schemaFaults } from "../validation/field-errors.ts";
import { unknownContact } from "./newsletter-contacts-email.ts";

type UnsubscribeRequest = components["schemas"]["UnsubscribeRequest"];

const unknownList = errorResponse("404.not_found", "This account has no list with this id.");
const notOnList = errorResponse("404.not_found", "The contact is not on this list.");

/** POST /api/v1/newsletter/contacts/{email}/unsubscribe: unsubscribes a contact from one list, or from everything. */
export async function unsubscribeContact(
  { account, path, body, now }: OperationContext<"unsubscribeContact">,
  { store, directory }: Services,
): Promise<Outcome<"unsubscribeContact">> {
  const faults = schemaFaults(schemas.UnsubscribeRequest, body);
  if (faults.length > 0) return invalidFields(faults);
  const { list_id: listId, reason = null } = body as UnsubscribeRequest;
  if (listId !== undefined && directory.list(account.id, listId) === undefined) return unknownList;
  const email = path.email.toLowerCase();
  const outcome = await store.changeContact<ErrorResponse<"404.not_found"> | null>({
    accountId: account.id,
    email,
    now,
    idempotency: null,
    decide(known) {
      const left = leave(known, listId, reason, now);
      if (!("memberships" in left)) return { response: { status: 404, body: "" }, result: left };
      return { contact: left, response: { status: 200, body: renderContact(left) }, result: null };
    },
  });
  if ("replay" in outcome) throw new Error("The store replayed a request without an idempotency key.");
  return outcome.result ?? outcome.response;
}

function leave(
  contact: Contact | undefined,
  listId: number | undefined,
  reason: string | null,
  now: number,
): Contact | ErrorResponse<"404.not_found"> {
  if (contact === undefined) return unknownContact;
  if (listId === undefined) return unsubscribeAll(contact, reason, now);
  return unsubscribeFrom(contact, listId, reason, now) ?? notOnList;
}
