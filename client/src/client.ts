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
import type { Call } from "./answer.ts";
import { type Connection, connect } from "./connect.ts";
import * as operations from "./operations.ts";
import { notInPage } from "./page.ts";
import { type SendAllOptions, type SendAllResult, sendAll } from "./send-all.ts";
import type { CallOptions, ClientOptions, Clock, KeyedOptions } from "./settings.ts";
import { plainForm, usable } from "./usable.ts";
import { type WaitOptions, waitFor } from "./wait-for.ts";

/** The calls for transactional e-mail. */
export interface Emails {
  /**
   * Sends a message, at once or at `scheduled_at` (SEND-1, SCHED-1), with an idempotency key (IDEM-3).
   *
   * @throws ApiError `send_rejected`, `invalid_request`, `idempotency_conflict`, see `isErrorOf(error, "sendEmail")`
   */
  send(message: SendRequest, options?: KeyedOptions): Call<SendResponse>;
  /** Looks a message up, for 30 days after it was sent (LOOK-1, LOOK-22). @throws ApiError 404 `not_found` */
  get(id: string, options?: CallOptions): Call<Message>;
  /** Gives a scheduled message another time (SCHED-8). @throws ApiError 409 `not_reschedulable`, 404 `not_found` */
  reschedule(id: string, change: RescheduleRequest, options?: CallOptions): Call<RescheduleResponse>;
  /** Cancels a scheduled message for good (SCHED-13, SCHED-14). @throws ApiError 409 `not_cancellable`, 404 `not_found` */
  cancel(id: string, options?: CallOptions): Call<CancelResponse>;
  /**
   * Looks a message up until it is in a state, or has been: after 2 s, 3 s, 4.5 s ... 30 s, for 5 minutes.
   *
   * @throws StateError when the message cannot come into the state any more, or time is up; what `get` throws
   */
  waitFor(id: string, state: MessageStatus, options?: WaitOptions): Promise<Message>;
  batch: {
    /**
     * Sends up to 100 messages as one request: all of them are taken, or none (BATCH-7).
     *
     * @throws ApiError; `fieldsByMessage(error)` tells what is wrong with which message
     */
    send(messages: readonly BatchMessage[], options?: KeyedOptions): Call<BatchResponse>;
    /** Sends any number of messages, in hundreds and in order. What fails is told in the result, and can be gone on with. */
    sendAll(messages: readonly BatchMessage[], options?: SendAllOptions): Promise<SendAllResult>;
  };
}

/** The calls for newsletter subscribers. */
export interface Newsletter {
  /** The lists of the account (LIST-1). */
  lists(options?: CallOptions): Call<NewsletterLists>;
  /** The custom fields of the account (LIST-11). */
  fields(options?: CallOptions): Call<CustomFields>;
  contacts: {
    /** Adds a contact to a list, or updates it there; who left is never put back (CONT-1, CONT-2). @throws ApiError 422 `invalid_request`, 404 `not_found` */
    upsert(contact: ContactRequest, options?: KeyedOptions): Call<Membership>;
    /** Looks a contact up by its address (CONT-23). @throws ApiError 404 `not_found` for an address never seen */
    get(email: string, options?: CallOptions): Call<Contact>;
    /** Takes a contact off one list, or off everything where no `list_id` is given. It cannot be undone (UNSUB-1, UNSUB-4, UNSUB-10). @throws ApiError 404 `not_found` */
    unsubscribe(email: string, request?: UnsubscribeRequest, options?: CallOptions): Call<Contact>;
  };
}

/** The whole API. */
export interface Client {
  emails: Emails;
  newsletter: Newsletter;
  /** What the key is: its account and abilities. The fields are not specified (ME-1, ME-2, ME-3). */
  me(options?: CallOptions): Call<Account>;
}

/**
 * The whole API with a key. It shows the key to nobody, whatever is printed or serialized.
 *
 * Every call is rejected with an `ApiError`, `ConnectionError` or `TimeoutError`, with the reason of its signal, or with a
 * `TypeError` for what cannot be sent at all.
 *
 * @throws TypeError where the key or the address cannot be used, or in a browser page
 */
export function createClient(options: ClientOptions): Client {
  // In words what most often goes wrong; what is left, `connect` refuses in few bytes.
  if (!options.key) throw new TypeError("key is missing");
  notInPage(options);
  usable("baseUrl", plainForm, options.baseUrl);
  const call = connect(options);
  const clock = options.clock ?? (globalThis as Clock);
  const on =
    <Rest extends unknown[], Result>(operation: (api: Connection, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      operation(call, ...rest);
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
