import type { OperationContext, Outcome, Services } from "../api/context.ts";
import { errorResponse } from "../api/error-response.ts";
import { renderContact } from "../responses/contact.ts";

/** The response to an unknown email address. */
export const unknownContact = errorResponse(
  "404.not_found",
  "This account has no contact with this email address.",
);

/** GET /api/v1/newsletter/contacts/{email}: a contact with its memberships. */
export async function getContact(
  { account, path }: OperationContext<"getContact">,
  { store }: Services,
): Promise<Outcome<"getContact">> {
  const contact = await store.contact(account.id, path.email.toLowerCase());
  return contact === undefined ? unknownContact : { status: 200, body: renderContact(contact) };
}
