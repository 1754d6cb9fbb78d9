import type { OperationId } from "../../generated/operations.ts";
import type { OperationContext, Outcome, Services } from "../api/context.ts";
import * as emails from "./emails.ts";
import * as emailsBatch from "./emails-batch.ts";
import * as emailsId from "./emails-id.ts";
import * as me from "./me.ts";
import * as newsletterContacts from "./newsletter-contacts.ts";
import * as newsletterContactsEmail from "./newsletter-contacts-email.ts";
import * as newsletterContactsEmailUnsubscribe from "./newsletter-contacts-email-unsubscribe.ts";
import * as newsletterFields from "./newsletter-fields.ts";
import * as newsletterLists from "./newsletter-lists.ts";

/** Handles the requests of an operation. */
type Handler<Id extends OperationId> = (
  context: OperationContext<Id>,
  services: Services,
) => Outcome<Id> | Promise<Outcome<Id>>;

/** A handler for each operation of the contract: the exports of the files of this folder, by operation id. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  ...emails,
  ...emailsBatch,
  ...emailsId,
  ...me,
  ...newsletterContacts,
  ...newsletterContactsEmail,
  ...newsletterContactsEmailUnsubscribe,
  ...newsletterFields,
  ...newsletterLists,
};
