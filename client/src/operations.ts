// Each operation as a function of its own, over `connect`: for programs that need few of them and count their bytes.
import type * as models from "../../generated/client/models.ts";
import * as rows from "../../generated/client/table.ts";
import type { Call } from "./answer.ts";
import type { Connection } from "./connect.ts";
import { at } from "./path.ts";
import type { CallOptions, KeyedOptions } from "./settings.ts";

/** Sends a message. As `client.emails.send`. */
export const sendEmail = (
  api: Connection,
  message: models.SendRequest,
  options?: KeyedOptions,
): Call<models.SendResponse> => api(rows.sendEmail, message, options);

/** Sends up to 100 messages at once. As `client.emails.batch.send`. */
export const sendBatch = (
  api: Connection,
  emails: readonly models.BatchMessage[],
  options?: KeyedOptions,
): Call<models.BatchResponse> => api(rows.sendBatch, { emails }, options);

/** Looks a message up. As `client.emails.get`. */
export const getEmail = (api: Connection, id: string, options?: CallOptions): Call<models.Message> =>
  api(at(rows.getEmail, id), undefined, options);

/** Gives a scheduled message another time. As `client.emails.reschedule`. */
export const rescheduleEmail = (
  api: Connection,
  id: string,
  change: models.RescheduleRequest,
  options?: CallOptions,
): Call<models.RescheduleResponse> => api(at(rows.rescheduleEmail, id), change, options);

/** Cancels a scheduled message. As `client.emails.cancel`. */
export const cancelEmail = (
  api: Connection,
  id: string,
  options?: CallOptions,
): Call<models.CancelResponse> => api(at(rows.cancelEmail, id), undefined, options);

/** Reads the newsletter lists. As `client.newsletter.lists`. */
export const listNewsletterLists = (api: Connection, options?: CallOptions): Call<models.NewsletterLists> =>
  api(rows.listNewsletterLists, undefined, options);

/** Reads the custom fields. As `client.newsletter.fields`. */
export const listCustomFields = (api: Connection, options?: CallOptions): Call<models.CustomFields> =>
  api(rows.listCustomFields, undefined, options);

/** Adds or updates a contact. As `client.newsletter.contacts.upsert`. */
export const upsertContact = (
  api: Connection,
  contact: models.ContactRequest,
  options?: KeyedOptions,
): Call<models.Membership> => api(rows.upsertContact, contact, options);

/** Looks a contact up. As `client.newsletter.contacts.get`. */
export const getContact = (api: Connection, email: string, options?: CallOptions): Call<models.Contact> =>
  api(at(rows.getContact, email), undefined, options);

/** Unsubscribes a contact. As `client.newsletter.contacts.unsubscribe`. */
export const unsubscribeContact = (
  api: Connection,
  email: string,
  request: models.UnsubscribeRequest = {},
  options?: CallOptions,
): Call<models.Contact> => api(at(rows.unsubscribeContact, email), request, options);

/** Looks the key itself up. As `client.me`. */
export const getMe = (api: Connection, options?: CallOptions): Call<models.Account> =>
  api(rows.getMe, undefined, options);
