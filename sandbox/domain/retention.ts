import { limits } from "../../generated/limits.ts";
import { confirmationPrefix } from "./confirmation.ts";
import type { Message } from "./records.ts";
import type { DueMessage, MessageSummary } from "./store.ts";
import { day } from "./times.ts";

/** How long records are kept at least, in milliseconds. */
export const keptFor = { messages: limits.messageLookup * day, requests: limits.callLog * day };

/** When a message is forgotten: 30 days after it was sent or, if it never was, after the time it was meant for. Null while it is scheduled. */
export const endOf = ({ status, createdAt, scheduledAt, sentAt }: DueMessage): number | null =>
  status === "scheduled" ? null : (sentAt ?? scheduledAt ?? createdAt) + keptFor.messages;

/** Whether the API shows a message: until its lookup period after sending ends, and never a confirmation email. */
export const canBeLookedUp = ({ id, sentAt }: Message, now: number): boolean =>
  !id.startsWith(confirmationPrefix) && (sentAt === null || now < sentAt + keptFor.messages);

/** How many messages a search reads for one page, so that a search in a large store does not delay other requests. */
export const searchedMessages = 10_000;

/** Creates the condition of a search: the text is part of the subject or of a recipient, in any case. */
export function searchCondition(
  search: string,
): (message: Pick<MessageSummary, "subject" | "to" | "cc" | "bcc">) => boolean {
  const text = search.trim().toLowerCase();
  const contains = (field: string): boolean => field.toLowerCase().includes(text);
  return ({ subject, to, cc, bcc }) => [subject, ...to, ...cc, ...bcc].some(contains);
}
