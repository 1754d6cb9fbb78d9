import { LRUCache } from "lru-cache";
import { errors } from "../../generated/errors.ts";
import type { LoggedRequest } from "../domain/records.ts";
import { type Store, stateSetting } from "../domain/store.ts";
import { type ErrorResponse, errorTypeOf, type FieldErrors } from "./error-response.ts";

/** A request with what the request log does not keep. Never its body or its key. */
export interface RecentRequest extends Omit<LoggedRequest, "accountId" | "fields"> {
  /** Null without a valid key or an operation, or if the store failed: the request log does not keep the request. */
  accountId: string | null;
  /** Why it was rejected. */
  error: Omit<ErrorResponse, "headers"> | null;
  /** The response of a send, which has the ids of the messages; null for any other. */
  accepted: string | null;
  /** The id of the confirmation email that it sent. */
  confirmation?: string | null;
}

/** How many requests are kept, of those in the request log and of the others. */
const max = 200;

/** What is longer is truncated, and a longer response not kept: all requests together take a few megabytes. */
const longest = { response: 16_384, path: 500, fields: 20, name: 200, sentences: 3, sentence: 300 };

export type RecentRequests = ReturnType<typeof createRecentRequests>;

/** The last requests since the reset of the store, in memory only, for the pages. */
export function createRecentRequests(store: Pick<Store, "setting">) {
  let state = store.setting(stateSetting);
  const logged = new LRUCache<string, RecentRequest>({ max });
  const unmatched = new LRUCache<string, RecentRequest>({ max });
  const forgetAfterReset = (): void => {
    if (state === store.setting(stateSetting)) return;
    state = store.setting(stateSetting);
    logged.clear();
    unmatched.clear();
  };
  return {
    add(request: Omit<RecentRequest, "error" | "errorType"> & { error: ErrorResponse | null }): void {
      forgetAfterReset();
      const { accountId, path, accepted } = request;
      const error = request.error && {
        id: request.error.id,
        message: request.error.message.slice(0, longest.sentence),
        fields: request.error.fields && shortened(request.error.fields),
      };
      // A failing store says nothing about the key or the path, and would displace the requests that are wrong.
      (accountId === null && request.status < 500 ? unmatched : logged).set(request.requestId, {
        ...request,
        path: path.slice(0, longest.path),
        accepted: accepted !== null && accepted.length <= longest.response ? accepted : null,
        error,
        errorType: error && errorTypeOf(errors[error.id]),
      });
    },
    find(requestId: string): RecentRequest | undefined {
      forgetAfterReset();
      return logged.peek(requestId) ?? unmatched.peek(requestId);
    },
    /** The requests that the log does not keep, the newest first. */
    unmatched(): RecentRequest[] {
      forgetAfterReset();
      return [...unmatched.values()];
    },
  };
}

/** Names and sentences can contain what was sent. */
function shortened(fields: FieldErrors): FieldErrors {
  const entries = Object.entries(fields)
    .slice(0, longest.fields)
    .map(([name, sentences]): [string, string[]] => [
      name.slice(0, longest.name),
      sentences.slice(0, longest.sentences).map((sentence) => sentence.slice(0, longest.sentence)),
    ]);
  return Object.fromEntries(entries);
}
