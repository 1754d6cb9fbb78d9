import type {
  Account,
  BatchMessage,
  BatchResponse,
  CancelResponse,
  Contact,
  ContactRequest,
  CustomFields,
  Membership,
  Message,
  MessageStatus,
  NewsletterLists,
  RescheduleRequest,
  RescheduleResponse,
  SendRequest,
  SendResponse,
  UnsubscribeRequest,
} from "../../generated/client/models.ts";
import { type Connection, connect } from "./connect.ts";
import * as operations from "./operations.ts";
import type { ClientOptions, Clock, IdempotentRequestOptions, RequestOptions } from "./options.ts";
import type { ApiPromise } from "./response.ts";
import { type SendAllOptions, type SendAllResult, sendAll } from "./send-all.ts";
import { type WaitOptions, waitFor } from "./time.ts";

/** The response to a scheduled send. */
export type ScheduledEmail = Extract<SendResponse, { scheduled_at: string }>;

/** The response to an immediate send. */
export type AcceptedEmail = Exclude<SendResponse, ScheduledEmail>;

/** Transactional email. */
export interface Emails {
  /**
   * Sends a message, immediately or at `scheduled_at` (SEND-1, SCHED-1), with an idempotency key (IDEM-3).
   *
   * @throws ApiError `send_rejected`, `invalid_request`, `idempotency_conflict`, see `isErrorOf(error, "sendEmail")`
   */
  send(message: SendRequest, options?: IdempotentRequestOptions): ApiPromise<SendResponse>;
  /** Looks a message up, for 30 days after it was sent (LOOK-1, LOOK-22). @throws ApiError 404 `not_found` */
  get(id: string, options?: RequestOptions): ApiPromise<Message>;
  /** Reschedules a scheduled message (SCHED-8). @throws ApiError 409 `not_reschedulable`, 404 `not_found` */
  reschedule(id: string, change: RescheduleRequest, options?: RequestOptions): ApiPromise<RescheduleResponse>;
  /** Cancels a scheduled message permanently (SCHED-13, SCHED-14). @throws ApiError 409 `not_cancellable`, 404 `not_found` */
  cancel(id: string, options?: RequestOptions): ApiPromise<CancelResponse>;
  /**
   * Looks a message up until it reaches a state or has passed it: every 2 s, 3 s, 4.5 s ... 30 s, for 5 minutes.
   *
   * @throws StateError if the message cannot reach the state or does not in time; any error of `get`
   */
  waitFor(id: string, state: MessageStatus, options?: WaitOptions): Promise<Message>;
  batch: {
    /**
     * Sends up to 100 messages as one request: all of them are accepted, or none (BATCH-7).
     *
     * @throws ApiError; `fieldsByMessage(error)` returns the field errors of each message
     */
    send(messages: readonly BatchMessage[], options?: IdempotentRequestOptions): ApiPromise<BatchResponse>;
    /** Sends any number of messages in batches of 100, in order. Failures are in the result, and can be resumed. */
    sendAll(messages: readonly BatchMessage[], options?: SendAllOptions): Promise<SendAllResult>;
  };
}

/** Newsletter lists and contacts. */
export interface Newsletter {
  /** The lists of the account (LIST-1). */
  lists(options?: RequestOptions): ApiPromise<NewsletterLists>;
  /** The custom fields of the account (LIST-11). */
  fields(options?: RequestOptions): ApiPromise<CustomFields>;
  contacts: {
    /** Adds a contact to a list, or updates it there; never resubscribes a contact who left (CONT-1, CONT-2). @throws ApiError 422 `invalid_request`, 404 `not_found` */
    upsert(contact: ContactRequest, options?: IdempotentRequestOptions): ApiPromise<Membership>;
    /** Looks a contact up by email address (CONT-23). @throws ApiError 404 `not_found` */
    get(email: string, options?: RequestOptions): ApiPromise<Contact>;
    /** Unsubscribes a contact from one list, or without `list_id` from all marketing email. Cannot be undone (UNSUB-1, UNSUB-4, UNSUB-10). @throws ApiError 404 `not_found` */
    unsubscribe(email: string, request?: UnsubscribeRequest, options?: RequestOptions): ApiPromise<Contact>;
  };
}

/** The whole API. */
export interface Client {
  emails: Emails;
  newsletter: Newsletter;
  /** The account and the abilities of the API key; the properties are unspecified (ME-1, ME-2, ME-3). */
  me(options?: RequestOptions): ApiPromise<Account>;
}

/**
 * Creates a client for the whole API. Printing or serializing it does not show the API key.
 *
 * Its methods reject with an `ApiError`, a `ConnectionError` or a `TimeoutError`, with the reason of the signal, or with a
 * `TypeError` if the request cannot be sent.
 *
 * @throws TypeError if an option is invalid, or in a browser page
 */
export function createClient(options: ClientOptions): Client {
  const connection = connect(options);
  const clock = options.clock ?? (globalThis as Clock);
  const on =
    <Rest extends unknown[], Result>(operation: (api: Connection, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      operation(connection, ...rest);
  const get = on(operations.getEmail);
  const send = on(operations.sendBatch);
  return {
    emails: {
      send: on(operations.sendEmail),
      get,
      reschedule: on(operations.rescheduleEmail),
      cancel: on(operations.cancelEmail),
      waitFor: (id, state, wait) => waitFor(get, clock, id, state, wait, options.timeout),
      batch: {
        send,
        sendAll: (messages, more) => sendAll(send, clock, messages, more),
      },
    },
    newsletter: {
      lists: on(operations.listNewsletterLists),
      fields: on(operations.listCustomFields),
      contacts: {
        upsert: on(operations.upsertContact),
        get: on(operations.getContact),
        unsubscribe: on(operations.unsubscribeContact),
      },
    },
    me: on(operations.getMe),
  };
}
