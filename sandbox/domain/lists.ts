import type { DueMessage } from "./due-messages.ts";

/** A message in a list. */
export type MessageSummary = DueMessage & { subject: string };

/** A page of a list, of one account or of all; `before` is the last id of the page before. */
export interface Page {
  accountId?: string;
  limit: number;
  before?: string;
}

/** With `search`, only messages that meet its condition, of the newest `searchedMessages` before `before`. */
export interface MessagePage extends Page {
  search?: string;
}
