import { simulator } from "../../generated/lifecycles.ts";
import type { Bounce, Message, MessageStatus } from "./records.ts";
import type { DueMessage, DueStep } from "./store.ts";

/**
 * The state transitions of a message: from which status, none for a new message, by what, and to which. A canceled message cannot be changed,
 * like one that was sent. Messages of a batch are `sent` at once, although their ids start with `sched_`: their `scheduled_at` is null.
 */
const transitions = [
  [null, "schedule", "scheduled"],
  [null, "send", "sent"],
  ["scheduled", "reschedule", "scheduled"],
  ["scheduled", "cancel", "canceled"],
  ["scheduled", "time comes", "sent"],
  ["sent", "delivery is confirmed", "delivered"],
  ["sent", "receiver rejects", "bounced"],
  ["delivered", "recipient complains", "complained"],
] as const satisfies readonly [from: MessageStatus | null, on: string, to: MessageStatus][];

type MessageTrigger = (typeof transitions)[number][1];

/** The next status; undefined if it does not change. */
export const nextStatus = (from: MessageStatus | null, on: MessageTrigger): MessageStatus | undefined =>
  transitions.find((row) => row[0] === from && row[1] === on)?.[2];

/** How long delivery takes, in milliseconds. */
export interface Delays {
  /** From sending to the confirmation of delivery. */
  delivery: number;
  /** From sending to the bounce. */
  bounce: number;
  /** From delivery to the complaint. */
  complaint: number;
}

export const usualDelays: Delays = { delivery: 2_000, bounce: 1_000, complaint: 5_000 };

export interface MailRules {
  /** In lower case. */
  simulatorDomain: string;
  delays: Delays;
}

/** The outcomes of a delivery, from best to worst. */
const outcomes = ["delivered", "complained", "blocked", "bounced"] as const;
type Outcome = (typeof outcomes)[number];

/** By local part: the last state in the contract's table; a recipient without states there is on a block list. */
const simulated = new Map<string, Outcome>(
  simulator.recipients.map(({ localPart, states }) => [localPart, (states.at(-1) ?? "blocked") as Outcome]),
);

export type Recipients = Pick<Message, "to" | "cc" | "bcc">;

export const everyone = ({ to, cc, bcc }: Recipients): string[] => [...to, ...cc, ...bcc];

function outcomeOf(address: string, simulatorDomain: string): Outcome {
  const at = address.lastIndexOf("@");
  if (address.slice(at + 1).toLowerCase() !== simulatorDomain) return "delivered";
  return simulated.get(address.slice(0, at).toLowerCase()) ?? "delivered";
}

/** The worst outcome of all recipients: a message has one status for all of them. */
function worst(message: Recipients, simulatorDomain: string): { outcome: Outcome; address: string } {
  let found = { outcome: "delivered" as Outcome, address: "" };
  for (const address of everyone(message)) {
    const outcome = outcomeOf(address, simulatorDomain);
    if (outcomes.indexOf(outcome) > outcomes.indexOf(found.outcome)) found = { outcome, address };
  }
  return found;
}

const isBounce = (outcome: Outcome): boolean => outcome === "bounced" || outcome === "blocked";

/** When a message that is sent at `sentAt` is due next. */
export const firstDue = (
  message: Recipients,
  sentAt: number,
  { simulatorDomain, delays }: MailRules,
): number => sentAt + (isBounce(worst(message, simulatorDomain).outcome) ? delays.bounce : delays.delivery);

/** Everything that is due for a message until then, each step at its time. */
export function dueSteps(message: DueMessage, until: number, rules: MailRules): DueStep {
  let result: DueStep = { message };
  for (let { dueAt } = message; dueAt !== null && dueAt <= until; dueAt = result.message.dueAt)
    result = { ...result, ...dueStep(result.message, dueAt, rules) };
  return result;
}

function dueStep(message: DueMessage, at: number, rules: MailRules): DueStep {
  const { outcome, address } = worst(message, rules.simulatorDomain);
  if (nextStatus(message.status, "time comes") !== undefined) return send(message, at, rules);
  if (nextStatus(message.status, "receiver rejects") !== undefined && isBounce(outcome))
    return { message: bounce(message, at, outcome, address) };
  if (nextStatus(message.status, "delivery is confirmed") !== undefined) {
    const dueAt = outcome === "complained" ? at + rules.delays.complaint : null;
    return { message: become(message, "delivered", at, { deliveredAt: at, dueAt }) };
  }
  if (nextStatus(message.status, "recipient complains") !== undefined && outcome === "complained")
    return { message: become(message, "complained", at, { complainedAt: at, dueAt: null }) };
  return { message: { ...message, dueAt: null } };
}

/** The message with another status, and an event of it. */
const become = (
  message: DueMessage,
  status: MessageStatus,
  at: number,
  changes: Partial<DueMessage>,
  detail: string | null = null,
): DueMessage => ({
  ...{ ...message, ...changes, status },
  events: [...message.events, { type: status, at, detail }],
});

/** A scheduled message counts once it is sent (Limits: Monthly allowance). */
const send = (message: DueMessage, at: number, rules: MailRules): DueStep => ({
  message: become(message, "sent", at, { sentAt: at, dueAt: firstDue(message, at, rules) }),
  counted: { recipients: everyone(message).length, at },
});

function bounce(message: DueMessage, at: number, outcome: Outcome, address: string): DueMessage {
  const reason = bounceOf(outcome, address);
  return become(message, "bounced", at, { bouncedAt: at, bounce: reason, dueAt: null }, reason.diagnostic);
}

/** The bounce record. Its types and subtypes are unspecified. */
function bounceOf(outcome: Outcome, address: string): Bounce {
  if (outcome === "blocked")
    return {
      type: "permanent",
      subtype: "blocked",
      permanent: true,
      summary: `${address} is on a block list.`,
      what_to_do: "Do not send to this email address again. Ask the person for another one.",
      diagnostic: `550 5.7.1 <${address}>: Recipient address rejected: on the block list`,
    };
  return {
    type: "permanent",
    subtype: "no_such_mailbox",
    permanent: true,
    summary: `The mailbox ${address} does not exist.`,
    what_to_do: "Remove the email address from your records, or ask the person for the right one.",
    diagnostic: `550 5.1.1 <${address}>: Recipient address rejected: user unknown`,
  };
}

/** Where sent messages go in addition to the store. */
export interface Outbound {
  /** Sends messages, unless they are scheduled. Called after the commit that marked them sent, by the instance that did that. */
  send(messages: readonly DueMessage[]): void;
  /** Resolves when no message is on its way to the SMTP server. */
  settled(): Promise<void>;
  /** Drops everything that is in progress and removes what was written, with a reset of the store. */
  reset(resetStore: () => Promise<void>): Promise<void>;
  /** The URL of the SMTP server, without the password; null without one. */
  readonly smtp: string | null;
  /** Waits for the messages on their way, for a few seconds at most. The store must still be open. */
  close(): Promise<void>;
}

/** The type of the event of a message that the SMTP server did not accept. */
export const relayFailed = "relay_failed";

/** Messages stay in the store. */
export const noOutbound: Outbound = {
  send: () => {},
  settled: async () => {},
  reset: (resetStore) => resetStore(),
  smtp: null,
  close: async () => {},
};
