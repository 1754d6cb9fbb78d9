import type { OperationId } from "../../generated/operations.ts";
import type { Handler } from "../api/context.ts";
import { getMe, listCustomFields, listNewsletterLists } from "./account.ts";
import { sendBatch, sendEmail } from "./emails.ts";
import { cancelEmail, getEmail, rescheduleEmail } from "./emails-id.ts";
import { getContact, unsubscribeContact, upsertContact } from "./newsletter-contacts.ts";

export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  getMe,
  sendEmail,
  sendBatch,
  getEmail,
  rescheduleEmail,
  cancelEmail,
  listNewsletterLists,
  listCustomFields,
  getContact,
  upsertContact,
  unsubscribeContact,
};
