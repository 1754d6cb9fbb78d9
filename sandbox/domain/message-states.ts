import type { MessageStatus } from "./records.ts";

export type MessageTrigger =
  | "schedule"
  | "send"
  | "reschedule"
  | "cancel"
  | "time comes"
  | "delivery is confirmed"
  | "receiver rejects"
  | "recipient complains";

export type MessageError = "not_reschedulable" | "not_cancellable";

export interface MessageTransition {
  /** Null for a new message. */
  readonly from: MessageStatus | null;
  readonly on: MessageTrigger;
  readonly to: MessageStatus;
  /** The error in every other state; without it, the event is ignored there. */
  readonly otherwise?: MessageError;
}

/**
 * The state transitions of a message. A canceled message cannot be changed, like one that was sent. Messages of a batch are `sent` at once,
 * although their ids start with `sched_`: their `scheduled_at` is null.
 */
export const messageTransitions: readonly MessageTransition[] = [
  { from: null, on: "schedule", to: "scheduled" },
  { from: null, on: "send", to: "sent" },
  { from: "scheduled", on: "reschedule", to: "scheduled", otherwise: "not_reschedulable" },
  { from: "scheduled", on: "cancel", to: "canceled", otherwise: "not_cancellable" },
  { from: "scheduled", on: "time comes", to: "sent" },
  { from: "sent", on: "delivery is confirmed", to: "delivered" },
  { from: "sent", on: "receiver rejects", to: "bounced" },
  { from: "delivered", on: "recipient complains", to: "complained" },
];

/** The next status; undefined if it does not change. */
export function nextStatus(from: MessageStatus | null, on: MessageTrigger): MessageStatus | undefined {
  return messageTransitions.find((row) => row.from === from && row.on === on)?.to;
}
