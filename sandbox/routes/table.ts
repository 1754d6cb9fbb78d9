import type { OperationId } from "../../generated/operations.ts";
import type { OperationContext, Outcome, Services } from "../api/context.ts";
import * as me from "./account.ts";
import * as newsletterFields from "./account.ts";
import * as newsletterLists from "./account.ts";
import * as emails from "./emails.ts";
import * as emailsBatch from "./emails.ts";
import * as emailsId from "./emails-id.ts";
import * as newsletterContacts from "./newsletter-contacts.ts";
import * as newsletterContactsEmail from "./newsletter-contacts.ts";
import * as newsletterContactsEmailUnsubscribe from "./newsletter-contacts.ts";

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
