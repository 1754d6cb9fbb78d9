import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { idOf, requestOk } from "./assertions.ts";
import { statusOf } from "./message-records.ts";
import { message, type SimulatedRecipient, simulatedRecipient } from "./messages.ts";

/** Statuses of a message that has been sent. */
export const sentStatuses = ["sent", "delayed", "delivered", "complained", "bounced"] as const;

/** Final statuses of a message to a simulated recipient. The transitions of `rejected` and `failed` are unspecified. */
const last: Readonly<Record<SimulatedRecipient, readonly string[]>> = {
  success: ["delivered", "complained", "bounced", "canceled"],
  bounce: ["delivered", "complained", "bounced", "canceled"],
  complaint: ["complained", "bounced", "canceled"],
  suppressionlist: ["delivered", "complained", "bounced", "canceled", "rejected", "failed"],
};

/** In milliseconds between the first two lookups of a message. */
const firstPause = 250;

export interface TrackedMessage {
  id: string;
  /** The message as sent. */
  body: Record<string, unknown>;
  /** The response to the send. */
  response: Exchange;
  /** The lookups in order, at least one; the first is right after the send. */
  lookups: Exchange[];
}

/** Tags with all characters that names and values can have. */
export const sampleTags = { order: "1042", "a-Z_0:9.": "Größe: 42 / café", empty: "" };

/** A message to a simulated recipient, looked up until its final status or the deadline for delivery. */
export const trackedMessage = (tester: Tester, local: SimulatedRecipient): Promise<TrackedMessage> =>
  tester.once(`a message to ${local}`, async (own) => {
    const body = message(own, { to: [simulatedRecipient(own, local)], tags: sampleTags });
    const response = await requestOk(own, "sendEmail", { body });
    const id = idOf(response);
    const { delivery: deadline } = own.settings.deadlines;
    return { id, body, response, lookups: await pollMessage(own, id, isFinal(local), { deadline }) };
  });

/** Whether a status is final for a simulated recipient. */
export const isFinal =
  (local: SimulatedRecipient) =>
  (status: string): boolean =>
    last[local].includes(status);

/** Looks a message up until its status fits or the deadline has passed. Returns all lookups, at least one. */
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

/** Looks a message up until it is sent or the deadline has passed. */
export const pollUntilSent = (tester: Tester, id: string, key: Role = "full"): Promise<Exchange[]> =>
  pollMessage(tester, id, isSent, { deadline: tester.settings.deadlines.dispatch, key });

export const isSent = (status: string): boolean => (sentStatuses as readonly string[]).includes(status);
