import { contactAnswer } from "../answers/contact.ts";
import type { Exchange, Parts, Success } from "../exchange.ts";
import { type ErrorOf, type Refusal, refuse } from "../refusal.ts";

/** What an address that was never seen is answered with. */
export const unknownContact = refuse("404.not_found", "This account has no contact of this address.");

/** GET /api/v1/newsletter/contacts/{email}: a contact with its memberships. */
export async function getContact(
  { account, parameters }: Exchange,
  { store }: Parts,
): Promise<Success | Refusal<ErrorOf<"getContact">>> {
  const contact = await store.contact(account.id, (parameters.email ?? "").toLowerCase());
  return contact === undefined ? unknownContact : { status: 200, body: contactAnswer(contact) };
}
