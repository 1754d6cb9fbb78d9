import type { OperationId } from "../../generated/operations.ts";
import type { OperationContext, Outcome, Services } from "../api/context.ts";
import { sendEmail } from "./emails.ts";
import { sendBatch } from "./emails-batch.ts";
import { cancelEmail, getEmail, rescheduleEmail } from "./emails-id.ts";
import { getMe } from "./me.ts";
import { upsertContact } from "./newsletter-contacts.ts";
import { getContact } from "./newsletter-contacts-email.ts";
import { unsubscribeContact } from "./newsletter-contacts-email-unsubscribe.ts";
import { listCustomFields } from "./newsletter-fields.ts";
import { listNewsletterLists } from "./newsletter-lists.ts";

/** Handles the requests of an operation. */
type Handler<Id extends OperationId> = (
  context: OperationContext<Id>,
  services: Services,
) => Outcome<Id> | Promise<Outcome<Id>>;

/** A handler for each operation of the contract. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
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
