import { limits } from "../../generated/limits.ts";
import { schemas } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import type { Outcome, RequestContext, Services } from "../api/context.ts";
import { errorResponse, invalidFields } from "../api/error-response.ts";
import { originOf } from "../api/path-matcher.ts";
import { confirmationMail, confirmationPrefix } from "../domain/confirmation.ts";
import { addContact, type ContactRequest } from "../domain/contacts.ts";
import { valueFault } from "../domain/field-values.ts";
import type { CustomField, Membership, Message, NewsletterList } from "../domain/records.ts";
import { replay } from "../middleware/idempotency.ts";
import { renderMembership } from "../responses/contact.ts";
import { withoutSurplus } from "../validation/bulk.ts";
import { type FieldFault, schemaFaults } from "../validation/field-errors.ts";
import { mailRules } from "./accept.ts";

/** POST /api/v1/newsletter/contacts: adds a contact to a list, or updates it there. */
export async function upsertContact(
  context: RequestContext,
  services: Services,
): Promise<Outcome<"upsertContact">> {
  const { account, now, idempotency } = context;
  const faults = faultsIn(context, services);
  if (faults.length > 0) return invalidFields(faults);
  const body = context.body as ContactRequest;
  const list = services.directory.list(account.id, body.list_id);
  if (list === undefined) return errorResponse("404.not_found", "This account has no list with this id.");
  const email = body.email.toLowerCase();
  const owner = { accountId: account.id, email };
  const token = () => services.ids.token(now);
  const batch = services.outbound.createBatch();
  const outcome = await services.store.changeContact({
    ...owner,
    now,
    idempotency,
    decide(known, suppressed) {
      batch.rollback();
      const { contact, membership, created } = addContact(known, owner, list, body, now, token);
      const response = { status: created ? 201 : 200, body: renderMembership(contact, membership) };
      const asks = created && membership.status === "pending" && !suppressed;
      // In the same transaction: nobody waits for a confirmation email that never comes.
      const mail = asks ? confirmation(email, list, membership, context, services) : null;
      if (mail !== null) batch.add(mail);
      context.confirmation = mail?.id ?? null;
      return { contact, ...(mail && { mail }), response, result: undefined };
    },
  });
  if ("replay" in outcome) return replay(outcome.replay, idempotency);
  batch.commit();
  return outcome.response;
}

/** The confirmation email of double opt-in. */
function confirmation(
  email: string,
  list: NewsletterList,
  { confirmation: token }: Membership,
  { now, account, request }: RequestContext,
  services: Services,
): Message {
  const id = confirmationPrefix + services.ids.message(now);
  const domains = services.directory.domains(account.id);
  const baseUrl = originOf(request);
  return confirmationMail(
    { id, email, list, domains, token: token ?? "", baseUrl, now },
    mailRules(services),
  );
}

function faultsIn({ body, bytes, account }: RequestContext, { directory }: Services): readonly FieldFault[] {
  const checked = withoutSurplus(body as Record<string, unknown>, bytes);
  const invalid = schemaFaults(schemas.ContactRequest, checked);
  return [...invalid, ...valueFaults((body as { fields?: unknown }).fields, directory.fields(account.id))];
}

/** What is wrong with the values of custom fields that match the schema, whatever else is wrong in the request. */
function valueFaults(fields: unknown, customFields: readonly CustomField[]): FieldFault[] {
  if (!isObject(fields)) return [];
  const entries = Object.entries(fields);
  // Of too many fields, only their number is reported.
  if (entries.length > limits.contactFields) return [];
  const known = new Map(customFields.map((field) => [field.key, field]));
  const faults: FieldFault[] = [];
  for (const [key, value] of entries) {
    const fault = schemas.FieldValue(value) ? valueFault(known.get(key), value) : undefined;
    if (fault !== undefined) faults.push([key.length > 100 ? "fields" : `fields.${key}`, fault]);
  }
  return faults;
}
