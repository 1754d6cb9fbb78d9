import type { OperationId } from "../../generated/operations.ts";
import type { RequestContext, Services, Success } from "../api/context.ts";
import type { ErrorOf, ErrorResponse } from "../api/error-response.ts";
import { sendEmail } from "./emails.ts";
import { sendBatch } from "./emails-batch.ts";
import { cancelEmail, getEmail, rescheduleEmail } from "./emails-id.ts";
import { getMe } from "./me.ts";
import { upsertContact } from "./newsletter-contacts.ts";
import { getContact } from "./newsletter-contacts-email.ts";
import { unsubscribeContact } from "./newsletter-contacts-email-unsubscribe.ts";
import { listCustomFields } from "./newsletter-fields.ts";
import { listNewsletterLists } from "./newsletter-lists.ts";

type Outcome<Id extends OperationId> = Success | ErrorResponse<ErrorOf<Id>>;

/** What does the work of an operation. It can only refuse in ways that the error table knows for that operation. */
type Route<Id extends OperationId> = (
  exchange: RequestContext,
  parts: Services,
) => Outcome<Id> | Promise<Outcome<Id>>;

/** Every operation of the contract with what does its work. */
export const routes: { readonly [Id in OperationId]: Route<Id> } = {
  sendEmail,
  sendBatch,
  getEmail,
  rescheduleEmail,
  cancelEmail,
  listNewsletterLists,
  listCustomFields,
  upsertContact,
  getContact,
  unsubscribeContact,
  getMe,
};
