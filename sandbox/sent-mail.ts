import type { Message } from "./domain/records.ts";
import type { Store } from "./domain/store.ts";

/** What was sent or is going to be, for tests that look into it. */
export interface SentMail {
  /** Messages of every status, the newest first: all of them, of one account, or so many of them as `limit` says. */
  messages(query?: { accountId?: string; limit?: number }): Promise<Message[]>;
  /** The message as MIME, the same bytes each time. */
  eml(message: Message): Promise<Uint8Array>;
}

/** Shows what the store has. Composing is loaded when it is first needed: most runs never look at a message as MIME. */
export function createSentMail(store: Pick<Store, "messages">): SentMail {
  return {
    messages: ({ accountId, limit = Number.MAX_SAFE_INTEGER } = {}) =>
      store.messages(accountId === undefined ? { limit } : { accountId, limit }),
    eml: async (message) => (await import("./mail/compose.ts")).compose(message),
  };
}
