import type { BatchMessage, Message, MessageStatus, SendResponse } from "../../generated/client/models.ts";
import { type Connection, connect } from "./connect.ts";
import * as operations from "./operations.ts";
import type { ClientOptions, Clock } from "./options.ts";
import { type SendAllOptions, type SendAllResult, sendAll } from "./send-all.ts";
import { type WaitOptions, waitFor } from "./time.ts";

/** The response to a scheduled send. */
export type ScheduledEmail = Extract<SendResponse, { scheduled_at: string }>;

/** The response to an immediate send. */
export type AcceptedEmail = Exclude<SendResponse, ScheduledEmail>;

/** An operation without its connection. */
export type MethodOf<Operation> = Operation extends (api: Connection, ...input: infer Input) => infer Result
  ? (...input: Input) => Result
  : never;

/** Transactional email. */
export interface Emails {
  /**
   * Sends a message, immediately or at `scheduled_at` (SEND-1, SCHED-1), with an idempotency key (IDEM-3).
   * @throws ApiError `send_rejected`, `invalid_request`, `idempotency_conflict`, see `isErrorOf(error, "sendEmail")`
   */
  send: MethodOf<typeof operations.sendEmail>;
  /** Looks a message up, for 30 days after it was sent (LOOK-1, LOOK-22). @throws ApiError 404 `not_found` */
  get: MethodOf<typeof operations.getEmail>;
  /** Reschedules a scheduled message (SCHED-8). @throws ApiError 409 `not_reschedulable`, 404 `not_found` */
  reschedule: MethodOf<typeof operations.rescheduleEmail>;
  /** Cancels a scheduled message permanently (SCHED-13, SCHED-14). @throws ApiError 409 `not_cancellable`, 404 `not_found` */
  cancel: MethodOf<typeof operations.cancelEmail>;
  /**
   * Looks a message up until it reaches a state or has passed it: every 2 s, 3 s, 4.5 s ... 30 s, for 5 minutes.
   * @throws StateError if the message cannot reach the state or does not in time; any error of `get`
   */
  waitFor(id: string, state: MessageStatus, options?: WaitOptions): Promise<Message>;
  batch: {
    /**
     * Sends up to 100 messages as one request: all of them are accepted, or none (BATCH-7).
     * @throws ApiError; `fieldsByMessage(error)` returns the field errors of each message
     */
    send: MethodOf<typeof operations.sendBatch>;
    /** Sends any number of messages in batches of 100, in order. Failures are in the result, and can be resumed. */
    sendAll(messages: readonly BatchMessage[], options?: SendAllOptions): Promise<SendAllResult>;
  };
}

/** Newsletter lists and contacts. */
export interface Newsletter {
  /** The lists of the account (LIST-1). */
  lists: MethodOf<typeof operations.listNewsletterLists>;
  /** The custom fields of the account (LIST-11). */
  fields: MethodOf<typeof operations.listCustomFields>;
  contacts: {
    /** Adds a contact to a list, or updates it there; never resubscribes a contact who left (CONT-1, CONT-2). @throws ApiError 422 `invalid_request`, 404 `not_found` */
    upsert: MethodOf<typeof operations.upsertContact>;
    /** Looks a contact up by email address (CONT-23). @throws ApiError 404 `not_found` */
    get: MethodOf<typeof operations.getContact>;
    /** Unsubscribes a contact from one list, or without `list_id` from all marketing email. Cannot be undone (UNSUB-1, UNSUB-4, UNSUB-10). @throws ApiError 404 `not_found` */
    unsubscribe: MethodOf<typeof operations.unsubscribeContact>;
  };
}

/** The whole API. */
export interface Client {
  emails: Emails;
  newsletter: Newsletter;
  /** The account and the abilities of the API key; the properties are unspecified (ME-1, ME-2, ME-3). */
  me: MethodOf<typeof operations.getMe>;
}

/**
 * Creates a client for the whole API. Printing or serializing it does not show the API key.
 *
 * Its methods reject with an `ApiError`, a `ConnectionError` or a `TimeoutError`, with the reason of the signal, or with a
 * `TypeError` if the request cannot be sent.
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
      batch: { send, sendAll: (messages, more) => sendAll(send, clock, messages, more) },
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
