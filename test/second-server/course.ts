import { isAddress } from "./message-rules.ts";
import type { Mail } from "./world.ts";

const simulatorDomain = "wind-tunnel.test";

/** Milliseconds from sending to delivery, and from delivery to a complaint. */
const onTheWay = 240;
const untilComplaint = 180;

interface Event {
  type: string;
  at: number;
  detail: string | null;
}

const words: Record<string, string> = {
  scheduled: "Waits for its time.",
  queued: "About to be sent.",
  sent: "Sent; no reply yet.",
  delivered: "Arrived.",
  bounced: "Bounced.",
  complained: "Delivered, and marked as spam.",
  rejected: "Was rejected.",
  canceled: "Canceled.",
};

/** The events of a message until now. They are not stored: they follow from when the message is sent. */
function eventsOf(mail: Mail, now: number): Event[] {
  if (mail.canceled) return [];
  const arrival = mail.leaves + onTheWay;
  const everyone = [...mail.to, ...mail.copies];
  const simulated = (local: string): boolean => everyone.includes(`${local}@${simulatorDomain}`);
  const events: Event[] = [{ type: "sent", at: mail.leaves, detail: null }];
  if (simulated("bounce"))
    events.push({ type: "bounced", at: arrival, detail: "550 no mailbox of that name" });
  else if (simulated("suppressionlist")) events.push({ type: "rejected", at: arrival, detail: "listed" });
  else {
    events.push({ type: "delivered", at: arrival, detail: null });
    if (simulated("complaint"))
      events.push({ type: "complained", at: arrival + untilComplaint, detail: null });
  }
  return events.filter(({ at }) => at <= now);
}

export const stateOf = (mail: Mail, now: number): string =>
  eventsOf(mail, now).at(-1)?.type ??
  (mail.canceled
    ? "canceled"
    : mail.id.startsWith("sched_") && mail.planned === null
      ? "queued"
      : "scheduled");

const time = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString();

/** The record of a message as it is now. */
export function recordOf(mail: Mail, now: number): Record<string, unknown> {
  const events = eventsOf(mail, now);
  const at = (type: string): string | null => time(events.find((event) => event.type === type)?.at);
  const state = stateOf(mail, now);
  const back = events.find(({ type }) => type === "bounced");
  return {
    events: events.map((event) => ({ detail: event.detail, type: event.type, at: time(event.at) })),
    bounce:
      back === undefined
        ? null
        : {
            permanent: true,
            type: "hard",
            subtype: "mailbox",
            diagnostic: back.detail,
            summary: "Nobody has this email address.",
            what_to_do: "Remove it from your list.",
          },
    status: state,
    status_description: words[state],
    complained_at: at("complained"),
    bounced_at: at("bounced"),
    delivered_at: at("delivered"),
    sent_at: at("sent"),
    scheduled_at: time(mail.planned),
    tags: mail.tags,
    subject: mail.subject,
    to: mail.to,
    from: mail.from,
    id: mail.id,
  };
}

/** The number of recipients, which count once the message is sent. */
export const recipientsOf = (mail: Mail): number =>
  new Set([...mail.to, ...mail.copies].filter(isAddress)).size;
