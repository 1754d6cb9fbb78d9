import type { MessageSummary } from "./lists.ts";

/** How many messages a search reads for one page, so that a search in a large store does not delay other requests. */
export const searchedMessages = 10_000;

/** Creates the condition of a search: the text is part of the subject or of a recipient, in any case. */
export function searchCondition(
  search: string,
): (message: Pick<MessageSummary, "subject" | "to" | "cc" | "bcc">) => boolean {
  const text = search.trim().toLowerCase();
  const contains = (field: string): boolean => field.toLowerCase().includes(text);
  return ({ subject, to, cc, bcc }) =>
    contains(subject) || to.some(contains) || cc.some(contains) || bcc.some(contains);
}
