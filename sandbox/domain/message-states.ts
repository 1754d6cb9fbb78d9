import type { MessageStatus } from "./records.ts";

/** What can happen to a message. */
export type MessageTrigger =
  | "schedule"
  | "send"
  | "reschedule"
  | "cancel"
  | "time comes"
  | "delivery is confirmed"
  | "receiver refuses"
  | "recipient complains";

/** What a step that a message is too late for is refused with. */
export type MessageRefusal = "not_reschedulable" | "not_cancellable";

export interface MessageTransition {
  /** Null where there was no message before. */
  readonly from: MessageStatus | null;
  readonly on: MessageTrigger;
  readonly to: MessageStatus;
  /** What the step is refused with in every other state; without it the step is passed over there. */
  readonly otherwise?: MessageRefusal;
}

/**
 * The life of a message. A canceled message is refused like one that went out: its time has passed in another way. Messages of a batch
 * are `sent` at once, although their ids look scheduled: they go out within moments, and "not scheduled" is what their
 * `scheduled_at` of null says.
 */
export const messageTransitions: readonly MessageTransition[] = [
  { from: null, on: "schedule", to: "scheduled" },
  { from: null, on: "send", to: "sent" },
  { from: "scheduled", on: "reschedule", to: "scheduled", otherwise: "not_reschedulable" },
  { from: "scheduled", on: "cancel", to: "canceled", otherwise: "not_cancellable" },
  { from: "scheduled", on: "time comes", to: "sent" },
  { from: "sent", on: "delivery is confirmed", to: "delivered" },
  { from: "sent", on: "receiver refuses", to: "bounced" },
  { from: "delivered", on: "recipient complains", to: "complained" },
];

/** The state that a step leads to, or undefined where the message stays as it is. */
export function nextStatus(from: MessageStatus | null, on: MessageTrigger): MessageStatus | undefined {
  return messageTransitions.find((row) => row.from === from && row.on === on)?.to;
}
