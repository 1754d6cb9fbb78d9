import { accountOf, type Role } from "../../engine/settings.ts";
import { entriesOf } from "../rules/allowance.ts";
import {
  entriesIn,
  type Json,
  type Message,
  type ModelRequest,
  next,
  type Place,
  pick,
  type RequestsOf,
  type Sequence,
  withKey,
} from "../state.ts";
import { edited } from "../steps/edits.ts";
import type { EmailStep, MessageStep, Recipient, Target, When } from "../steps/email.ts";

/** The requests of steps; undefined if there is no message that one could be about. */
export const emailRequests: RequestsOf<EmailStep> = {
  send: ({ message, when, keyed }, { key, sequence, now }) => {
    const body = messageOf(message, key, sequence, when === null ? undefined : timeOf(when, now));
    return withKey({ operation: "sendEmail", key, body }, keyed, sequence);
  },
  batch: ({ messages, isFirstRepeated, keyed }, { key, sequence }) => {
    const own = messages.map((message) => messageOf(message, key, sequence));
    const emails = isFirstRepeated ? [...own, own[0]] : own;
    return withKey({ operation: "sendBatch", key, body: { emails } }, keyed, sequence);
  },
  reschedule: ({ message, when }, place) => {
    const body = { scheduled_at: timeOf(when, place.now) };
    return ofMessage({ operation: "rescheduleEmail", key: place.key, body }, find(message, place));
  },
  cancel: ({ message }, place) =>
    ofMessage({ operation: "cancelEmail", key: place.key }, find(message, place)),
  look: ({ message }, place) => ofMessage({ operation: "getEmail", key: place.key }, find(message, place)),
};

function find({ number, of }: Target, { state: { messages }, key, now }: Place): Message | undefined {
  const account = accountOf(key);
  const isScheduled = (one: Message) => one.account === account && one.dueAt !== null && !one.isCanceled;
  const all = messages.filter((one) => {
    if (of === "pending") return isScheduled(one) && (one.dueAt ?? 0) > now;
    if (of === "due") return isScheduled(one) && (one.dueAt ?? 0) <= now;
    return of === "all" || one.account !== account;
  });
  return pick(all.length > 0 ? all : messages, number);
}

const ofMessage = (request: ModelRequest, message: Message | undefined): ModelRequest | undefined =>
  message === undefined ? undefined : { ...request, path: { id: message.id } };

/** A time with an offset from UTC, in whole seconds. */
function timeOf({ ahead, offset }: When, now: number): string {
  const at = Math.ceil(now / 1000) * 1000 + ahead * 60_000;
  const local = new Date(at + offset * 60_000).toISOString().replace(".000Z", "");
  const two = (value: number): string => String(Math.abs(Math.trunc(value))).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
}

/** @param scheduledAt of a scheduled message */
function messageOf(step: MessageStep, key: Role, sequence: Sequence, scheduledAt?: string): Json {
  const { fixtures } = sequence;
  const { template } = fixtures;
  const stops = [...step.to, ...step.cc, ...step.bcc].some((one) => one === "bounce" || one === "complaint");
  // A server that stops the sending to all recipients of a message must not stop it to those of other requests.
  const other = (recipient: Recipient): Recipient => (stops && recipient === "success" ? "new" : recipient);
  const emails = (recipients: Recipient[]): string[] => [
    ...new Set(recipients.map((recipient) => emailOf(other(recipient), sequence))),
  ];
  const useTemplate = step.content === "template" && template !== undefined && accountOf(key) === "full";
  const message = {
    from: `contract@${domainOf(key, sequence)}`,
    to: emails(step.to),
    ...(step.cc.length === 0 ? {} : { cc: emails(step.cc) }),
    ...(step.bcc.length === 0 ? {} : { bcc: emails(step.bcc) }),
    ...(useTemplate
      ? { template_id: template.id, variables: template.variables }
      : contentOf(step.content, sequence)),
    ...(Object.keys(step.tags).length === 0 ? {} : { tags: step.tags }),
    ...(scheduledAt === undefined ? {} : { scheduled_at: scheduledAt }),
  };
  const newEmails = (count: number): string[] =>
    fixtures.recipientDomain === undefined
      ? []
      : Array.from({ length: count }, () => emailOf("new", sequence));
  return edited(message, step.edit, { fixtures, newEmails });
}

function domainOf(key: Role, { fixtures: { domains = {} } }: Sequence): string | undefined {
  if (key === "restricted") return domains.restricted;
  return domains.ofRole?.[key] ?? domains.verified;
}

const contentOf = (content: MessageStep["content"], sequence: Sequence): Json => ({
  subject: `Contract sequence ${next(sequence)}`,
  ...(content === "html" ? {} : { text: "Sent by a sequence of the contract." }),
  ...(content === "html" || content === "both" ? { html: "<p>Sent by a sequence of the contract.</p>" } : {}),
});

function emailOf(recipient: Recipient, sequence: Sequence): string {
  const { simulatorDomain, suppressed = [], recipientDomain } = sequence.fixtures;
  const index = /^suppressed (\d)$/.exec(recipient)?.[1];
  if (index !== undefined) return pick(suppressed, Number(index)) ?? `success@${simulatorDomain}`;
  if (recipient !== "new") return `${recipient}@${simulatorDomain}`;
  return recipientDomain === undefined
    ? `success@${simulatorDomain}`
    : `contract-${next(sequence)}@${recipientDomain}`;
}

const added = (recipients: unknown, other: string): string[] => [...entriesIn<string>(recipients), other];
/** Messages that differ from another one in one property; `other` is a recipient that it does not have. */
const changes: ((message: Json, other: string) => Json)[] = [
  ({ to }, other) => ({ to: added(to, other) }),
  ({ cc }, other) => ({ cc: added(cc, other) }),
  ({ bcc }, other) => ({ bcc: added(bcc, other) }),
  (message) => ("template_id" in message ? { variables: { name: "Bea" } } : { subject: "Another subject" }),
  (message) => ("template_id" in message ? { template_id: "another" } : { text: "Another text." }),
  (message) => ("template_id" in message ? { tags: {} } : { html: "<p>Another text.</p>" }),
  () => ({ tags: { changed: "yes" } }),
  () => ({ headers: { "X-Changed": "yes" } }),
  () => ({ reply_to: "another@example.com" }),
  ({ scheduled_at: at }) =>
    at === undefined
      ? { attachments: [{ filename: "another.txt", content: "Qg==" }] }
      : { scheduled_at: String(at).replace(/:\d\d([+-])/, ":59$1") },
  () => ({ attachments: [{ filename: "another.txt", content: "Qg==" }] }),
];

/** A recipient that a message does not have. After the replay window, the changed message is sent. */
function otherThan(message: Json, sequence: Sequence): string {
  const own = entriesOf(message);
  const all = (["new", "success", "complaint", "bounce", "suppressionlist"] as const).map((one) =>
    emailOf(one, sequence),
  );
  return all.find((email) => !own.includes(email)) ?? all[0] ?? "";
}

/** Another body for the same idempotency key: with one property changed, in a batch in the last or the first message, or in the order. */
export function changedSend(body: Json, change: number, sequence: Sequence): Json {
  const changed = (message: Json): Json => ({
    ...message,
    ...pick(changes, change)?.(message, otherThan(message, sequence)),
  });
  if (!Array.isArray(body.emails)) return changed(body);
  const emails = body.emails as Json[];
  const [first = {}, last = {}] = [emails[0], emails.at(-1)];
  const variants = [
    [...emails.slice(0, -1), changed(last)],
    [...emails.slice(0, -1), changed(last)],
    [changed(first), ...emails.slice(1)],
    change % 2 === 0 && emails.length > 1 ? emails.toReversed() : [...emails, first],
  ];
  return { emails: pick(variants, Math.floor(change / changes.length)) };
}
