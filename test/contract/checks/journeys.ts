import type { Exchange } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { idOf, message, requestOk, type SimulatedRecipient, simulatedRecipient } from "./kit.ts";
import { statusIn } from "./records.ts";

/** States that a message is in when it has gone out. */
export const gone = ["sent", "delayed", "delivered", "complained", "bounced"] as const;
/** States that nothing follows for a message to a recipient who does not complain. */
const last = ["delivered", "complained", "bounced", "rejected", "failed", "canceled"] as const;

/** The time between the first two look-ups of a message on its way, in milliseconds: mail takes its time. */
const firstPause = 250;

/** What was sent, and what was seen of it. */
export interface Journey {
  id: string;
  /** The message as it was sent. */
  body: Record<string, unknown>;
  /** The answer to the send. */
  answer: Exchange;
  /** The look-ups in their order, the first one right after the send. There is at least one. */
  looks: Exchange[];
}

/** Tags with everything that names and values of tags may have in them. */
export const everyTag = { order: "1042", "a-Z_0:9.": "Größe: 42 / café", empty: "" };

/** What needs no fixture but a domain to send from and the simulated recipients. */
export const mailNeeds = ["domains.verified", "simulatorDomain"] as const;

/** The way of a message to a simulated recipient until its last state, or until the deadline for delivery has passed. */
export const journey = (tester: Tester, local: SimulatedRecipient): Promise<Journey> =>
  tester.once(`the way of a message to ${local}`, async (own) => {
    const body = message(own, { to: [simulatedRecipient(own, local)], tags: everyTag });
    const answer = await requestOk(own, "sendEmail", { body });
    const id = idOf(answer);
    const { delivery: deadline } = own.settings.deadlines;
    return { id, body, answer, looks: await follow(own, id, isOver(local), { deadline }) };
  });

/** Whether a status is the last one of a message to a simulated recipient. */
export const isOver =
  (local: SimulatedRecipient) =>
  (status: string): boolean =>
    (last as readonly string[]).includes(status) && !(local === "complaint" && status === "delivered");

/** Looks a message up until its status is as wanted, or the deadline has passed; gives all that was seen, at least one look-up. */
export async function follow(
  tester: Tester,
  id: string,
  isSo: (status: string) => boolean,
  { deadline, key = "full" }: { deadline: number; key?: Role },
): Promise<Exchange[]> {
  const looks: Exchange[] = [];
  const ask = async (): Promise<string> => {
    const found = await requestOk(tester, "getEmail", { path: { id }, key });
    looks.push(found);
    return statusIn(found);
  };
  await tester.until(ask, isSo, deadline, firstPause);
  return looks;
}

/** Looks a message up until it has gone out, or the deadline for that has passed. */
export const untilGone = (tester: Tester, id: string, key: Role = "full"): Promise<Exchange[]> =>
  follow(tester, id, hasGone, { deadline: tester.settings.deadlines.moments, key });

/** Whether a status is that of a message that has gone out. */
export const hasGone = (status: string): boolean => (gone as readonly string[]).includes(status);
