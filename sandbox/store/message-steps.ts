import type { Store } from "../domain/store.ts";
import { accept } from "./acceptance.ts";
import type { Session } from "./session.ts";

type MessageSteps = Pick<
  Store,
  "recall" | "accept" | "message" | "messages" | "summaries" | "reschedule" | "cancel" | "used"
>;

/** The steps of a store that take messages, look them up, put them off and cancel them. */
export function messageSteps(session: Session): MessageSteps {
  return {
    recall: (work, now) => session.read(({ idempotency: works }) => works.find(work, now)),
    accept: (acceptance) => accept(session.tables, acceptance, session.due.note),
    message: (accountId, id) => session.read(({ messages }) => messages.find(accountId, id)),
    messages: (page) => session.read(({ messages }) => messages.list(page)),
    summaries: (page) => session.read(({ messages }) => messages.summaries(page)),
    reschedule: (accountId, id, scheduledAt) =>
      session.write(({ messages }) => {
        const changed = messages.reschedule(accountId, id, scheduledAt);
        if (changed) session.due.note(scheduledAt);
        return changed;
      }),
    cancel: (accountId, id) => session.write(({ messages }) => messages.cancel(accountId, id)),
    used: (accountId, now) => session.read(({ quota }) => quota.used(accountId, now)),
  };
}
