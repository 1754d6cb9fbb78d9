import type { RequestContext, Services, Success } from "../api/context.ts";
import { type ErrorOf, type ErrorResponse, errorResponse } from "../api/error-response.ts";
import { renderContact } from "../responses/contact.ts";

/** What an address that was never seen is answered with. */
export const unknownContact = errorResponse("404.not_found", "This account has no contact of this address.");

/** GET /api/v1/newsletter/contacts/{email}: a contact with its memberships. */
export async function getContact(
  { account, parameters }: RequestContext,
  { store }: Services,
): Promise<Success | ErrorResponse<ErrorOf<"getContact">>> {
  const contact = await store.contact(account.id, (parameters.email ?? "").toLowerCase());
  return contact === undefined ? unknownContact : { status: 200, body: renderContact(contact) };
}
