import type { Message } from "../../../sandbox/domain/records.ts";
import { startSmtpHost } from "../mail/smtp-host.ts";
import { repeatedIn } from "./check.ts";

/** When messages came, by their ids. */
export type Arrivals = readonly { id: string; at: number }[];

/** An SMTP server that notes what it gets. */
export async function startRecipient() {
  const arrivals: { id: string; at: number }[] = [];
  const host = await startSmtpHost({
    message({ source }) {
      const id = /^Message-ID: <(.+)@/m.exec(source)?.[1] ?? "";
      arrivals.push({ id, at: Date.now() });
      return undefined;
    },
  });
  return { url: host.url, arrivals, close: () => host.close() };
}

/** Compares what came with the messages, once nothing is due any more. */
export function checkRelayed(messages: readonly Message[], arrivals: Arrivals) {
  const arrived = new Set(arrivals.map(({ id }) => id));
  return {
    faults: {
      relayedTwice: repeatedIn(arrivals.map(({ id }) => id)),
      undone: messages.filter(({ dueAt }) => dueAt !== null).map(({ id }) => id),
    },
    relayed: arrived.size,
    longestWait: longestWait(messages, arrivals),
  };
}

/** From the time that a message is sent at until it comes, in milliseconds. */
function longestWait(messages: readonly Message[], arrivals: Arrivals): number {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const waits = arrivals.map(({ id, at }) => {
    const message = byId.get(id);
    return message === undefined ? 0 : at - (message.scheduledAt ?? message.createdAt);
  });
  return Math.max(0, ...waits);
}
