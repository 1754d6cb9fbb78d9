import type { Exchange } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { idOf, requestOk } from "./assertions.ts";
import { statusOf } from "./message-records.ts";
import { message, type SimulatedRecipient, simulatedRecipient } from "./messages.ts";

/** States that a message is in when it has gone out. */
export const sentStatuses = ["sent", "delayed", "delivered", "complained", "bounced"] as const;

/** States that nothing follows for a message to a recipient who does not complain. */
const last = ["delivered", "complained", "bounced", "rejected", "failed", "canceled"] as const;

/** The time between the first two lookup-ups of a message on its way, in milliseconds: mail takes its time. */
const firstPause = 250;

/** What was sent, and what was seen of it. */
export interface TrackedMessage {
  id: string;
  /** The message as it was sent. */
  body: Record<string, unknown>;
  /** The response to the send. */
  response: Exchange;
  /** The lookup-ups in their order, the first one right after the send. There is at least one. */
  lookups: Exchange[];
}

/** Tags with everything that names and values of tags may have in them. */
export const sampleTags = { order: "1042", "a-Z_0:9.": "Größe: 42 / café", empty: "" };

/** The way of a message to a simulated recipient until its last state, or until the deadline for delivery has passed. */
export const trackedMessage = (tester: Tester, local: SimulatedRecipient): Promise<TrackedMessage> =>
  tester.once(`the way of a message to ${local}`, async (own) => {
    const body = message(own, { to: [simulatedRecipient(own, local)], tags: sampleTags });
    const response = await requestOk(own, "sendEmail", { body });
    const id = idOf(response);
    const { delivery: deadline } = own.settings.deadlines;
    return { id, body, response, lookups: await pollMessage(own, id, isFinal(local), { deadline }) };
  });

/** Whether a status is the last one of a message to a simulated recipient. */
export const isFinal =
  (local: SimulatedRecipient) =>
  (status: string): boolean =>
    (last as readonly string[]).includes(status) && !(local === "complaint" && status === "delivered");

/** Looks a message up until its status is as wanted, or the deadline has passed; gives all that was seen, at least one lookup-up. */
export async function pollMessage(
  tester: Tester,
  id: string,
  isSo: (status: string) => boolean,
  { deadline, key = "full" }: { deadline: number; key?: Role },
): Promise<Exchange[]> {
  const lookups: Exchange[] = [];
  const ask = async (): Promise<string> => {
    const found = await requestOk(tester, "getEmail", { path: { id }, key });
    lookups.push(found);
    return statusOf(found);
  };
  await tester.until(ask, isSo, deadline, firstPause);
  return lookups;
}

/** Looks a message up until it has gone out, or the deadline for that has passed. */
export const pollUntilSent = (tester: Tester, id: string, key: Role = "full"): Promise<Exchange[]> =>
  pollMessage(tester, id, isSent, { deadline: tester.settings.deadlines.moments, key });

/** Whether a status is that of a message that has gone out. */
export const isSent = (status: string): boolean => (sentStatuses as readonly string[]).includes(status);
