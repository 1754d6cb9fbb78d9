import { limits } from "../../generated/limits.ts";
import type { Message } from "./records.ts";
import { day } from "./times.ts";

/** How long records are kept at least, in milliseconds. */
export const keptFor = { messages: limits.messageLookup * day, requests: limits.callLog * day };

/** Whether a message is forgotten: 30 days after it was sent or, if it never was, after the time it was meant for. */
export function isOver(
  {
    status,
    createdAt,
    scheduledAt,
    sentAt,
  }: Pick<Message, "status" | "createdAt" | "scheduledAt" | "sentAt">,
  now: number,
): boolean {
  return status !== "scheduled" && (sentAt ?? scheduledAt ?? createdAt) <= now - keptFor.messages;
}
