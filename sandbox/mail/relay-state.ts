import type { DueMessage, DueStep } from "../domain/due-messages.ts";
import { nextStatus } from "../domain/message-states.ts";
import type { RejectedRecipient, RelayState } from "../domain/relay.ts";
import { envelopeOf } from "./envelope.ts";
import { bounceOf, isNoMailbox } from "./relay-bounce.ts";
import type { Attempt } from "./smtp-attempt.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The backoff after each failed attempt. After the last one, about a day after sending, the message bounces. */
export const waits = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
];

/** The lease of a claim: then it is checked again if its attempt is still in progress. */
export const lease = minute;

/** The relay state of a message that is still to be relayed; undefined for any other. */
export function stateToRelay(message: DueMessage, simulatorDomain: string): RelayState | undefined {
  if (message.status !== "sent") return undefined;
  const relay = message.relay ?? {
    state: "waiting",
    attempts: 0,
    pending: leaving(message, simulatorDomain),
    rejected: [],
  };
  return relay.pending.length === 0 || relay.state === "done" || relay.state === "unknown"
    ? undefined
    : relay;
}

/** The recipients of a message without the simulated ones, which are never relayed to (Simulated recipients). */
export function leaving(message: DueMessage, simulatorDomain: string): string[] {
  const simulated = simulatorDomain.toLowerCase();
  return envelopeOf(message).to.filter(
    (address) =>
      address
        .slice(address.lastIndexOf("@") + 1)
        .toLowerCase()
        .replace(/\.$/, "") !== simulated,
  );
}

/** Who claims a message, and until when in real time. */
export type Holder = Required<Pick<RelayState, "holder" | "heldUntil">>;

/**
 * Claims a message for an attempt, which counts only when it starts: it may have to wait, and the process may end before. Without a
 * result, the message is due again at `dueAt`, or at the next start.
 */
export function claim(message: DueMessage, relay: RelayState, holder: Holder, dueAt: number): DueStep {
  return withRelay({ ...message, dueAt }, { ...relay, ...holder, state: "claimed" });
}

/** The message after an attempt. */
export function conclude(message: DueMessage, relay: RelayState, attempt: Attempt, at: number): DueStep {
  if (attempt.kind === "unknown") return lost(message, relay, attempt.reply, at);
  const failed = failures(relay, attempt);
  const wait = waits[relay.attempts - 1];
  const final = failed.filter(({ code }) => code >= 500 || wait === undefined);
  const rejected = [...relay.rejected, ...final];
  const pending = failed.filter((recipient) => !final.includes(recipient)).map(({ address }) => address);
  const { reply: _, ...before } = relay;
  const after: RelayState = {
    ...before,
    state: pending.length === 0 ? "done" : "waiting",
    pending,
    rejected,
  };
  const reply = failed.find(({ address }) => pending.includes(address))?.reply;
  if (reply !== undefined) return withRelay({ ...message, dueAt: at + (wait ?? 0) }, { ...after, reply });
  // The due engine goes on from here: delivered, or what the simulated recipients stand for.
  return rejected.length === 0 ? withRelay({ ...message, dueAt: at }, after) : bounced(message, after, at);
}

/** The recipients for whom the server did not accept the message. */
function failures(relay: RelayState, attempt: Exclude<Attempt, { kind: "unknown" }>): RejectedRecipient[] {
  if (attempt.kind === "accepted" || (attempt.kind === "rejected" && attempt.rejected.length > 0))
    return attempt.rejected;
  const code = attempt.kind === "rejected" ? attempt.code : 0;
  return relay.pending.map((address) => ({ address, code, reply: attempt.reply, alone: false }));
}

/** The server may have the message: it stays `sent`, and is never relayed again. */
export function lost(message: DueMessage, relay: RelayState, reply: string, at: number): DueStep {
  const detail = `The connection to the SMTP server was lost when it may have received the message; it is not sent again. ${reply}`;
  const events = [...message.events, { type: "relay_unknown", at, detail }];
  // The reply to an earlier attempt is obsolete.
  const { reply: _, ...before } = relay;
  return withRelay({ ...message, events, dueAt: null }, { ...before, state: "unknown" });
}

function bounced(message: DueMessage, relay: RelayState, at: number): DueStep {
  const status = nextStatus(message.status, "receiver rejects") ?? message.status;
  const bounce = bounceOf(relay.rejected);
  const events = [...message.events, { type: "bounced", at, detail: bounce.diagnostic }];
  const gone = relay.rejected.filter(isNoMailbox);
  return {
    ...withRelay({ ...message, status, bouncedAt: at, bounce, events, dueAt: null }, relay),
    suppress: gone.map(({ address }) => ({ address: address.toLowerCase(), reason: "hard bounce", at })),
  };
}

export const withRelay = (message: DueMessage, relay: RelayState): DueStep => ({
  message: { ...message, relay },
});
