import { limits } from "../../generated/limits.ts";
import type { components } from "../../generated/types.ts";
import { schemas } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import type { Handler } from "../api/context.ts";
import { type ErrorResponse, errorResponse, invalidFields } from "../api/error-response.ts";
import { type FieldError, schemaErrors, withoutSurplus } from "../api/field-errors.ts";
import { replay } from "../api/idempotency.ts";
import { originOf } from "../api/paths.ts";
import { confirmationMail } from "../domain/confirmation.ts";
import { addContact, type ContactRequest, unsubscribe, valueError } from "../domain/contacts.ts";
import type { Contact, CustomField, Membership, MembershipStatus, Message } from "../domain/records.ts";
import { writeTimeOrNull } from "../domain/times.ts";

/** POST /api/v1/newsletter/contacts: adds a contact to a list, or updates it there. */
export const upsertContact: Handler<"upsertContact"> = async (context, services) => {
  const { account, now, idempotency } = context;
  const body = context.body as ContactRequest;
  const fieldErrors = [
    ...schemaErrors(schemas.ContactRequest, withoutSurplus({ ...body }, context.bytes)),
    ...valueErrors(body.fields, services.directory.fields(account.id)),
  ];
  if (fieldErrors.length > 0) return invalidFields(fieldErrors);
  const list = services.directory.list(account.id, body.list_id);
  if (list === undefined) return errorResponse("404.not_found", "This account has no list with this id.");
  const email = body.email.toLowerCase();
  const owner = { accountId: account.id, email };
  const token = () => services.ids.token(now);
  const baseUrl = originOf(context.request);
  let sent: Message | null = null;
  const outcome = await services.store.changeContact({
    ...owner,
    now,
    idempotency,
    decide(known, suppressed) {
      const { contact, membership, created } = addContact(known, owner, list, body, now, token);
      const response = { status: created ? 201 : 200, body: JSON.stringify(view(contact, membership)) };
      sent = null;
      if (created && membership.status === "pending" && !suppressed) {
        const { confirmation: token } = membership;
        const details = { id: services.ids.message(now), email, list, token, baseUrl, now };
        sent = confirmationMail(details, services.directory.domains(account.id), services.mailRules);
      }
      // In the same transaction: nobody waits for a confirmation email that never comes.
      context.confirmation = sent?.id ?? null;
      return { contact, ...(sent && { mail: sent }), response, result: undefined };
    },
  });
  if ("replay" in outcome) return replay(outcome.replay, idempotency);
  if (sent !== null) services.outbound.send([sent]);
  return outcome.response;
};

/** What is wrong with the values of custom fields that match the schema, whatever else is wrong in the request. */
function valueErrors(fields: unknown, customFields: readonly CustomField[]): FieldError[] {
  if (!isObject(fields)) return [];
  const entries = Object.entries(fields);
  // Of too many fields, only their number is reported.
  if (entries.length > limits.contactFields) return [];
  const known = new Map(customFields.map((field) => [field.key, field]));
  const fieldErrors: FieldError[] = [];
  for (const [key, value] of entries) {
    const error = schemas.FieldValue(value) ? valueError(known.get(key), value) : undefined;
    if (error !== undefined) fieldErrors.push([key.length > 100 ? "fields" : `fields.${key}`, error]);
  }
  return fieldErrors;
}

const unknownContact = errorResponse("404.not_found", "This account has no contact with this email address.");

const notOnList = errorResponse("404.not_found", "The contact is not on this list.");

/** GET /api/v1/newsletter/contacts/{email}: a contact with its memberships. */
export const getContact: Handler<"getContact"> = async ({ account, path }, { store }) => {
  const contact = await store.contact(account.id, path.email.toLowerCase());
  return contact === undefined ? unknownContact : { status: 200, body: renderContact(contact) };
};

/** POST /api/v1/newsletter/contacts/{email}/unsubscribe: unsubscribes a contact from one list, or from everything. */
export const unsubscribeContact: Handler<"unsubscribeContact"> = async (
  { account, path, body, now },
  { store, directory },
) => {
  const fieldErrors = schemaErrors(schemas.UnsubscribeRequest, body);
  if (fieldErrors.length > 0) return invalidFields(fieldErrors);
  const { list_id: listId, reason = null } = body as components["schemas"]["UnsubscribeRequest"];
  if (listId !== undefined && directory.list(account.id, listId) === undefined)
    return errorResponse("404.not_found", "This account has no list with this id.");
  const outcome = await store.changeContact<ErrorResponse<"404.not_found"> | null>({
    accountId: account.id,
    email: path.email.toLowerCase(),
    now,
    idempotency: null,
    decide(known) {
      const left = known && unsubscribe(known, listId, reason, now);
      if (left !== undefined)
        return { contact: left, response: { status: 200, body: renderContact(left) }, result: null };
      return { response: { status: 404, body: "" }, result: known ? notOnList : unknownContact };
    },
  });
  if ("replay" in outcome) throw new Error("The store replayed a request without an idempotency key.");
  return outcome.result ?? outcome.response;
};

/** `status_description` by status. */
const descriptions: Readonly<Record<MembershipStatus, string>> = {
  pending: "Waiting for the contact to confirm by email.",
  subscribed: "Receives the emails of this list.",
  unsubscribed: "Has left this list.",
  cleaned: "Rested after a long stretch without engaging.",
  complained: "Marked an email of this list as spam.",
};

const renderContact = (contact: Contact): string =>
  JSON.stringify({
    email: contact.email,
    marketing_blocked: contact.marketingBlocked,
    lists: contact.memberships.map((membership) => view(contact, membership)),
  });

const view = (contact: Contact, membership: Membership) => ({
  list_id: membership.listId,
  email: contact.email,
  status: membership.status,
  status_description: descriptions[membership.status],
  first_name: contact.firstName,
  last_name: contact.lastName,
  fields: contact.fields,
  tags: contact.tags,
  subscribed_at: writeTimeOrNull(membership.subscribedAt),
  unsubscribed_at: writeTimeOrNull(membership.unsubscribedAt),
});
