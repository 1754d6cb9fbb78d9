import { schemas } from "../../generated/validators/requests.js";
import { membershipAnswer } from "../answers/contact.ts";
import { confirmationMail, confirmationPrefix } from "../domain/confirmation.ts";
import { addContact, type ContactInput } from "../domain/contacts.ts";
import { valueFault } from "../domain/field-values.ts";
import type { Message, NewsletterList } from "../domain/records.ts";
import type { Exchange, Parts, Success } from "../exchange.ts";
import { replay } from "../middleware/idempotency.ts";
import { type ErrorOf, fieldErrors, type Refusal, refuse, refuseFields } from "../refusal.ts";
import { overfull } from "../validation/bulk.ts";
import { type FieldFault, faultsOf } from "../validation/field-errors.ts";
import { mailRules } from "./taking.ts";

type ContactBody = ContactInput & { email: string; list_id: number };

/** POST /api/v1/newsletter/contacts: adds a contact to a list, or updates it there. */
export async function upsertContact(
  exchange: Exchange,
  parts: Parts,
): Promise<Success | Refusal<ErrorOf<"upsertContact">>> {
  const { account, now, work } = exchange;
  const faults = faultsIn(exchange, parts);
  if (faults.length > 0) return refuseFields(fieldErrors(faults));
  const body = exchange.body as ContactBody;
  const list = parts.directory.list(account.id, body.list_id);
  if (list === undefined) return refuse("404.not_found", "This account has no list of this id.");
  const email = body.email.toLowerCase();
  const address = { accountId: account.id, email };
  const token = () => parts.ids.token(now);
  const outcome = await parts.store.changeContact({
    ...address,
    now,
    work,
    decide(known, suppressed) {
      const { contact, membership, created } = addContact(known, address, list, body, now, token);
      const answer = { status: created ? 201 : 200, body: membershipAnswer(contact, membership) };
      const asked = created && membership.status === "pending" && !suppressed;
      // In the same step: nobody waits for a confirmation that never comes.
      const mail = asked ? { mail: confirmation(email, list, exchange, parts) } : {};
      return { contact, ...mail, answer, result: undefined };
    },
  });
  if ("answer" in outcome) return outcome.answer;
  if (work === null) throw new Error("The store replayed work that has no name.");
  return replay(outcome.replay, work);
}

/** The mail that asks for a confirmation. */
function confirmation(
  email: string,
  list: NewsletterList,
  { now, account }: Exchange,
  parts: Parts,
): Message {
  const id = confirmationPrefix + parts.ids.message(now);
  const domains = parts.directory.domains(account.id);
  return confirmationMail({ id, email, list, domains, now }, mailRules(parts));
}

function faultsIn({ body, request, account }: Exchange, { directory }: Parts): readonly FieldFault[] {
  const tooMany = overfull(body as object, request.body?.length ?? 0);
  if (tooMany.length > 0) return tooMany;
  if (!schemas.ContactRequest(body)) return faultsOf(schemas.ContactRequest.errors);
  const faults: FieldFault[] = [];
  if (body.fields === undefined) return faults;
  const known = new Map(directory.fields(account.id).map((field) => [field.key, field]));
  for (const [key, value] of Object.entries(body.fields)) {
    const fault = valueFault(known.get(key), value);
    if (fault !== undefined) faults.push([key.length > 100 ? "fields" : `fields.${key}`, fault]);
  }
  return faults;
}
