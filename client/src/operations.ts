// Each operation as a function on a connection: for programs that need few operations and count bytes.
import type * as models from "../../generated/client/models.ts";
import * as rows from "../../generated/client/table.ts";
import { type Connection, withPathParameter } from "./connect.ts";
import type { IdempotentRequestOptions, RequestOptions } from "./options.ts";
import type { ApiPromise } from "./response.ts";

/** Sends a message. As `client.emails.send`. */
export const sendEmail = (
  api: Connection,
  message: models.SendRequest,
  options?: IdempotentRequestOptions,
): ApiPromise<models.SendResponse> => api(rows.sendEmail, message, options);

/** Sends up to 100 messages at once. As `client.emails.batch.send`. */
export const sendBatch = (
  api: Connection,
  emails: readonly models.BatchMessage[],
  options?: IdempotentRequestOptions,
): ApiPromise<models.BatchResponse> => api(rows.sendBatch, { emails }, options);

/** Looks a message up. As `client.emails.get`. */
export const getEmail = (api: Connection, id: string, options?: RequestOptions): ApiPromise<models.Message> =>
  api(withPathParameter(rows.getEmail, id), undefined, options);

/** Reschedules a scheduled message. As `client.emails.reschedule`. */
export const rescheduleEmail = (
  api: Connection,
  id: string,
  change: models.RescheduleRequest,
  options?: RequestOptions,
): ApiPromise<models.RescheduleResponse> => api(withPathParameter(rows.rescheduleEmail, id), change, options);

/** Cancels a scheduled message. As `client.emails.cancel`. */
export const cancelEmail = (
  api: Connection,
  id: string,
  options?: RequestOptions,
): ApiPromise<models.CancelResponse> => api(withPathParameter(rows.cancelEmail, id), undefined, options);

/** Lists the newsletter lists. As `client.newsletter.lists`. */
export const listNewsletterLists = (
  api: Connection,
  options?: RequestOptions,
): ApiPromise<models.NewsletterLists> => api(rows.listNewsletterLists, undefined, options);

/** Lists the custom fields. As `client.newsletter.fields`. */
export const listCustomFields = (
  api: Connection,
  options?: RequestOptions,
): ApiPromise<models.CustomFields> => api(rows.listCustomFields, undefined, options);

/** Adds or updates a contact. As `client.newsletter.contacts.upsert`. */
export const upsertContact = (
  api: Connection,
  contact: models.ContactRequest,
  options?: IdempotentRequestOptions,
): ApiPromise<models.Membership> => api(rows.upsertContact, contact, options);

/** Looks a contact up. As `client.newsletter.contacts.get`. */
export const getContact = (
  api: Connection,
  email: string,
  options?: RequestOptions,
): ApiPromise<models.Contact> => api(withPathParameter(rows.getContact, email), undefined, options);

/** Unsubscribes a contact. As `client.newsletter.contacts.unsubscribe`. */
export const unsubscribeContact = (
  api: Connection,
  email: string,
  request: models.UnsubscribeRequest = {},
  options?: RequestOptions,
): ApiPromise<models.Contact> => api(withPathParameter(rows.unsubscribeContact, email), request, options);

/** Looks up the API key. As `client.me`. */
export const getMe = (api: Connection, options?: RequestOptions): ApiPromise<models.Account> =>
  api(rows.getMe, undefined, options);
