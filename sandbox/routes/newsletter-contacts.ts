import { limits } from "../../generated/limits.ts";
import { schemas } from "../../generated/validators/requests.js";
import type { RequestContext, Services, Success } from "../api/context.ts";
import {
  type ErrorOf,
  type ErrorResponse,
  errorResponse,
  fieldErrors,
  invalidFields,
} from "../api/error-response.ts";
import { confirmationMail, confirmationPrefix } from "../domain/confirmation.ts";
import { addContact, type ContactInput } from "../domain/contacts.ts";
import { valueFault } from "../domain/field-values.ts";
import type { CustomField, Message, NewsletterList } from "../domain/records.ts";
import { isObject } from "../middleware/body.ts";
import { replay } from "../middleware/idempotency.ts";
import { renderMembership } from "../responses/contact.ts";
import { overfull } from "../validation/bulk.ts";
import { type FieldFault, faultsOf } from "../validation/field-errors.ts";
import { mailRules } from "./taking.ts";

type ContactBody = ContactInput & { email: string; list_id: number };

/** POST /api/v1/newsletter/contacts: adds a contact to a list, or updates it there. */
export async function upsertContact(
  exchange: RequestContext,
  parts: Services,
): Promise<Success | ErrorResponse<ErrorOf<"upsertContact">>> {
  const { account, now, idempotency: work } = exchange;
  const faults = faultsIn(exchange, parts);
  if (faults.length > 0) return invalidFields(fieldErrors(faults));
  const body = exchange.body as ContactBody;
  const list = parts.directory.list(account.id, body.list_id);
  if (list === undefined) return errorResponse("404.not_found", "This account has no list of this id.");
  const email = body.email.toLowerCase();
  const address = { accountId: account.id, email };
  const token = () => parts.ids.token(now);
  const outcome = await parts.store.changeContact({
    ...address,
    now,
    idempotency: work,
    decide(known, suppressed) {
      const { contact, membership, created } = addContact(known, address, list, body, now, token);
      const answer = { status: created ? 201 : 200, body: renderMembership(contact, membership) };
      const asked = created && membership.status === "pending" && !suppressed;
      // In the same step: nobody waits for a confirmation that never comes.
      const mail = asked ? { mail: confirmation(email, list, exchange, parts) } : {};
      return { contact, ...mail, response: answer, result: undefined };
    },
  });
  if ("response" in outcome) return outcome.response;
  if (work === null) throw new Error("The store replayed work that has no name.");
  return replay(outcome.replay, work);
}

/** The mail that asks for a confirmation. */
function confirmation(
  email: string,
  list: NewsletterList,
  { now, account }: RequestContext,
  parts: Services,
): Message {
  const id = confirmationPrefix + parts.ids.message(now);
  const domains = parts.directory.domains(account.id);
  return confirmationMail({ id, email, list, domains, now }, mailRules(parts));
}

function faultsIn(
  { body, request, account }: RequestContext,
  { directory }: Services,
): readonly FieldFault[] {
  const tooMany = overfull(body as object, request.body?.length ?? 0);
  if (tooMany.length > 0) return tooMany;
  const misshapen = schemas.ContactRequest(body) ? [] : faultsOf(schemas.ContactRequest.errors);
  return [...misshapen, ...valueFaults((body as { fields?: unknown }).fields, directory.fields(account.id))];
}

/** What is wrong with the values of custom fields whose form is right, whatever else is wrong in the request. */
function valueFaults(fields: unknown, customFields: readonly CustomField[]): FieldFault[] {
  if (!isObject(fields)) return [];
  const entries = Object.entries(fields);
  // Of too many nobody wants to hear about each.
  if (entries.length > limits.contactFields) return [];
  const known = new Map(customFields.map((field) => [field.key, field]));
  const faults: FieldFault[] = [];
  for (const [key, value] of entries) {
    const fault = schemas.FieldValue(value) ? valueFault(known.get(key), value) : undefined;
    if (fault !== undefined) faults.push([key.length > 100 ? "fields" : `fields.${key}`, fault]);
  }
  return faults;
}
