import type { Role } from "../engine/settings.ts";
import { entriesIn, type Json, type Message, timeOf } from "../model/world.ts";
import type { ServerTime } from "./clock.ts";

/** A recipient that nobody has: a record does not show all recipients. */
const unknownRecipient = "?";

/** A message that only responses about it show. */
export function learnedMessage(account: Role, id: string, { now }: ServerTime): Message {
  return {
    account,
    id,
    sent: {},
    kind: "scheduled",
    acceptedAt: now,
    dueAt: null,
    isCanceled: false,
    suppressed: [],
    siblings: [],
    isMoved: true,
    since: [],
    record: undefined,
  };
}

/** A message with what its record says of its send. */
export function withRecord(message: Message, record: Json): Message {
  const { from, to, subject, tags, scheduled_at, sent_at, status } = record;
  const scheduledAt = timeOf(scheduled_at);
  const sentAt = timeOf(sent_at);
  const isScheduled = !Number.isNaN(scheduledAt) && scheduled_at !== null;
  const sent = { from, to, cc: [unknownRecipient], tags, ...(subject !== undefined && { subject }) };
  return {
    ...message,
    sent,
    kind: isScheduled ? "scheduled" : status === "scheduled" ? "batch" : "immediate",
    acceptedAt: sent_at === null || Number.isNaN(sentAt) ? message.acceptedAt : sentAt,
    dueAt: isScheduled ? scheduledAt : null,
    isCanceled: message.isCanceled || status === "canceled",
  };
}

const kept = ["from", "to", "cc", "bcc", "subject", "tags", "scheduled_at"];

/** A message without what no later response shows, such as its text. */
export function trimmed(message: Message): Message {
  const part = (all: Json): Json =>
    Object.fromEntries(kept.flatMap((name) => (name in all ? [[name, all[name]]] : [])));
  return {
    ...message,
    sent: part(message.sent),
    siblings: entriesIn<Json>(message.siblings).slice(0, 2).map(part),
  };
}

/** About so many bytes. */
export const sizeOf = ({ sent, siblings, record }: Message): number =>
  1000 + 2 * JSON.stringify([sent, siblings, record ?? null]).length;
