import { nextStatus } from "../domain/message-states.ts";
import type { RejectedRecipient, RelayState } from "../domain/relay.ts";
import type { DueMessage, DueStep } from "../domain/store.ts";
import { envelopeOf } from "./envelope.ts";
import { bounceOf, isNoMailbox } from "./relay-bounce.ts";
import type { Attempt } from "./smtp-attempt.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after each attempt that failed; after the last of them the message bounces, about a day after it was sent. */
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

/** How long a claim lasts before it is looked at again, should its attempt still be under way then. */
export const lease = minute;

/** The state of a message that still has to go to the server, or undefined for one that has not, or not any more. */
export function stateToRelay(message: DueMessage, simulatorDomain: string): RelayState | undefined {
  if (message.status !== "sent") return undefined;
  const relay = message.relay ?? {
    state: "waiting",
    attempts: 0,
    pending: leaving(message, simulatorDomain),
    refused: [],
  };
  return relay.pending.length === 0 || relay.state === "done" || relay.state === "unknown"
    ? undefined
    : relay;
}

/** The recipients of a message but for the simulator's, which it never leaves for (Simulated recipients). */
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

/**
 * Another attempt is to begin, which counts only once it does: it may have to wait for its turn, and the process may not live to see it.
 * Should nothing be heard of it, the message is due again at `dueAt`; at the next start, at once.
 */
export function claim(message: DueMessage, relay: RelayState, dueAt: number): DueStep {
  return withRelay({ ...message, dueAt }, { ...relay, state: "claimed" });
}

/** What follows from an attempt. */
export function conclude(message: DueMessage, relay: RelayState, attempt: Attempt, at: number): DueStep {
  if (attempt.kind === "unknown") return lost(message, relay, attempt.words, at);
  const failed = failures(relay, attempt);
  const wait = waits[relay.attempts - 1];
  const final = failed.filter(({ code }) => code >= 500 || wait === undefined);
  const refused = [...relay.refused, ...final];
  const pending = failed.filter((recipient) => !final.includes(recipient)).map(({ address }) => address);
  const { words: _, ...before } = relay;
  const after: RelayState = { ...before, state: pending.length === 0 ? "done" : "waiting", pending, refused };
  const words = failed.find(({ address }) => pending.includes(address))?.words;
  if (words !== undefined) return withRelay({ ...message, dueAt: at + (wait ?? 0) }, { ...after, words });
  // What happens next, it does by itself: delivered, or whatever the simulator's addresses among the recipients stand for.
  return refused.length === 0 ? withRelay({ ...message, dueAt: at }, after) : bounced(message, after, at);
}

/** The recipients for whom the server did not take the message. */
function failures(relay: RelayState, attempt: Exclude<Attempt, { kind: "unknown" }>): RejectedRecipient[] {
  if (attempt.kind === "accepted" || (attempt.kind === "refused" && attempt.refused.length > 0))
    return attempt.refused;
  const code = attempt.kind === "refused" ? attempt.code : 0;
  return relay.pending.map((address) => ({ address, code, words: attempt.words, alone: false }));
}

/** Nobody can tell whether the server has it: it stays `sent`, and is not handed over a second time. */
export function lost(message: DueMessage, relay: RelayState, words: string, at: number): DueStep {
  const detail = `The connection to the SMTP server broke off when the message may have arrived; it is not sent again. ${words}`;
  const events = [...message.events, { type: "relay_unknown", at, detail }];
  // What was said of an earlier attempt is over as well.
  const { words: _, ...before } = relay;
  return withRelay({ ...message, events, dueAt: null }, { ...before, state: "unknown" });
}

function bounced(message: DueMessage, relay: RelayState, at: number): DueStep {
  const status = nextStatus(message.status, "receiver refuses") ?? message.status;
  const bounce = bounceOf(relay.refused);
  const events = [...message.events, { type: "bounced", at, detail: bounce.diagnostic }];
  const gone = relay.refused.filter(isNoMailbox);
  return {
    ...withRelay({ ...message, status, bouncedAt: at, bounce, events, dueAt: null }, relay),
    suppress: gone.map(({ address }) => ({ address: address.toLowerCase(), reason: "hard bounce", at })),
  };
}

/** The message with another state of its way to the server. */
export function withRelay(message: DueMessage, relay: RelayState): DueStep {
  const changed: DueMessage = { ...message, relay };
  return { message: changed };
}
