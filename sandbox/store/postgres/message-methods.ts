import type { Store } from "../../domain/store.ts";
import { accept, changeContact } from "./calls.ts";
import type { Database } from "./database.ts";
import type { Epoch } from "./epoch.ts";

/** What the methods of a store work with. */
export interface MethodParts {
  database: Database;
  /** Calls `work` with the current epoch. */
  on<Result>(work: (epoch: Epoch) => Result | Promise<Result>): Promise<Result>;
  /** The same for a change, of which it tells the listeners. @param dueAtOf the due time that the change has written */
  changing<Result>(
    work: (epoch: Epoch) => Promise<Result>,
    dueAtOf?: (result: Result) => number | null | undefined,
  ): Promise<Result>;
}

type MessageMethods = Pick<
  Store,
  | ("accept" | "changeContact" | "message" | "messages" | "summaries" | "reschedule" | "cancel" | "change")
  | ("nextDue" | "runDue")
>;

export function messageMethods({ on, changing }: MethodParts): MessageMethods {
  return {
    accept: (acceptance) => on((epoch) => accept(epoch, acceptance)),
    changeContact: (change) => on((epoch) => changeContact(epoch, change)),
    message: (accountId, id) => on(({ messages }) => messages.find(accountId, id)),
    messages: (page) => on(({ messages }) => messages.list(page)),
    summaries: (page) => on(({ messages }) => messages.summaries(page)),
    reschedule: (accountId, id, scheduledAt) =>
      changing(
        ({ messages }) => messages.reschedule(accountId, id, scheduledAt),
        (done) => (done ? scheduledAt : undefined),
      ),
    cancel: (accountId, id) => changing(({ messages }) => messages.cancel(accountId, id)),
    change: (accountId, id, step) =>
      changing(
        ({ messages }) => messages.change(accountId, id, step),
        (message) => message?.dueAt,
      ),
    nextDue: () => on(({ messages }) => messages.nextDue()),
    runDue: (run) => on((epoch) => epoch.runDue(run)),
  };
}
