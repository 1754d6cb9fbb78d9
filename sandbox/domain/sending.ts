import type { ErrorId } from "../../generated/errors.ts";
import { limits } from "../../generated/limits.ts";
import { escapeHtml } from "../../lib/html.ts";
import { lineBreaks } from "../../lib/text.ts";
import { firstDue, type MailRules, nextStatus, type Recipients } from "./due.ts";
import type { Account, ApiKey, Message, MessageContent, SendingDomain, Template } from "./records.ts";
import { day, readTime, timeSentence, writeTime } from "./times.ts";

/** A valid message. Which of its recipients are suppressed is known once it is accepted. */
export interface Draft {
  from: string;
  recipients: Recipients;
  tags: Record<string, string>;
  content: MessageContent;
  /** Null for an immediate send. */
  scheduledAt: number | null;
}

interface NewMessage extends Pick<Message, "id" | "accountId"> {
  now: number;
  recipients: SplitRecipients;
}

/** The message of an accepted draft: `sent` or `scheduled`. */
export function newMessage(
  draft: Draft,
  { id, accountId, now, recipients }: NewMessage,
  rules: MailRules,
): Message {
  const scheduled = draft.scheduledAt !== null;
  return {
    id,
    accountId,
    from: draft.from,
    to: recipients.to,
    cc: recipients.cc,
    bcc: recipients.bcc,
    tags: draft.tags,
    content: draft.content,
    status: nextStatus(null, scheduled ? "schedule" : "send") ?? "sent",
    createdAt: now,
    scheduledAt: draft.scheduledAt,
    sentAt: scheduled ? null : now,
    deliveredAt: null,
    bouncedAt: null,
    complainedAt: null,
    bounce: null,
    events: scheduled ? [] : [{ type: "sent", at: now, detail: null }],
    dueAt: draft.scheduledAt ?? firstDue(recipients, now, rules),
  };
}

/** The recipients without the suppressed ones. */
export interface SplitRecipients extends Recipients {
  /** In order, each once. */
  suppressed: string[];
}

/** Removes the suppressed recipients. Email addresses are compared without case. */
export function splitRecipients(recipients: Recipients, suppressed: ReadonlySet<string>): SplitRecipients {
  const out = new Set<string>();
  const kept = (addresses: string[]): string[] =>
    addresses.filter((address) => {
      if (!suppressed.has(address.toLowerCase())) return true;
      out.add(address);
      return false;
    });
  const split = { to: kept(recipients.to), cc: kept(recipients.cc), bcc: kept(recipients.bcc) };
  return { ...split, suppressed: [...out] };
}

/** Why this key and account must not send from an email address, by an error row; undefined if they may. */
export function senderError(from: string, key: ApiKey, account: Account, domains: readonly SendingDomain[]) {
  const name = from.slice(from.lastIndexOf("@") + 1).toLowerCase();
  const rejected = <Id extends ErrorId>(id: Id, message: string) => ({ id, message });
  if (key.domain !== null && key.domain !== name)
    return rejected("403.send_rejected", `This API key sends from ${key.domain} only.`);
  if (domains.length === 0)
    return rejected("422.send_rejected", "No sending domain is set up on this account.");
  const domain = domains.find((candidate) => candidate.name === name);
  if (domain === undefined)
    return rejected("403.send_rejected", `${name} is not a sending domain of this account.`);
  if (domain.state === "unverified")
    return rejected("409.send_rejected", `${name} has not finished verifying.`);
  if (domain.state === "stopped") return rejected("409.send_rejected", `Sending from ${name} is stopped.`);
  return account.atSendingCeiling
    ? rejected("429.send_rejected", "This account has reached its sending ceiling.")
    : undefined;
}

/** The largest message that is accepted, in bytes: a megabyte is 1,048,576 bytes. */
export const largestMessage = limits.messageSize * 1024 * 1024;

/** The decoded size of base64, which may have line breaks. */
export function decodedSize(base64: string): number {
  const first = base64.indexOf("=");
  const padding = first < 0 ? 0 : base64.includes("=", first + 1) ? 2 : 1;
  return Math.floor(((base64.length - lineBreaks(base64) - padding) * 3) / 4);
}

/** The parts of a message with a size; in a request that is not validated yet, they may be anything. */
type SizedParts = Partial<Record<"subject" | "html" | "text" | "attachments", unknown>>;

/** The size of a message in bytes: decoded attachments, subject and bodies. A linked file has no known size yet and counts as 0. */
export function messageSize({ subject, html, text, attachments }: SizedParts): number {
  let size = 0;
  for (const part of [subject, html, text]) if (typeof part === "string") size += Buffer.byteLength(part);
  if (!Array.isArray(attachments)) return size;
  for (const attachment of attachments.slice(0, limits.attachments)) {
    const content: unknown = attachment?.content;
    if (typeof content === "string") size += decodedSize(content);
  }
  return size;
}

/** Parses a time to send at, which must be in the future and within the limit; `error` is what is wrong with it. */
export function readSendTime(text: string, now: number): { at: number } | { error: string } {
  const at = readTime(text);
  if (at === undefined) return { error: timeSentence };
  if (at < now) return { error: `Must not be in the past; the time is ${writeTime(now)}.` };
  if (at > now + limits.scheduleAhead * day)
    return {
      error: `Must not be more than ${limits.scheduleAhead} days ahead; the time is ${writeTime(now)}.`,
    };
  return { at };
}

const placeholder = /\{\{\s*([\w.:-]{1,256})\s*\}\}/g;

/**
 * Fills in the variables of a template. A missing one becomes empty and is reported. Values are escaped in HTML, and lose their line breaks in
 * the subject.
 */
export function fillTemplate(template: Template, variables: Record<string, unknown>) {
  const missing = new Set<string>();
  let room = largestMessage + 1;
  /** The value of a variable, unless the message is too large by now: it is rejected, whatever follows. */
  const value = (name: string, convert = (text: string): string => text): string => {
    if (!Object.hasOwn(variables, name)) missing.add(name);
    if (!Object.hasOwn(variables, name) || room === 0) return "";
    const converted = convertUpTo(room, plain(variables[name]), convert);
    room -= converted.length;
    return converted;
  };
  const filled = {
    subject: fill(template.subject, (name) => value(name).replace(/[\r\n]+/g, " ")),
    html: template.html === null ? null : fill(template.html, (name) => value(name, escapeHtml)),
    text: template.text === null ? null : fill(template.text, (name) => value(name)),
  };
  return missing.size === 0 ? filled : { ...filled, missingVariables: [...missing] };
}

/** How much of a value is converted at once, in characters. */
const piece = 65_536;

/** The start of a converted text, of at most this many characters: escaped, a text may be six times as long. */
function convertUpTo(room: number, text: string, convert: (text: string) => string): string {
  let converted = "";
  for (let at = 0; at < text.length && converted.length < room; at += piece)
    converted += convert(text.slice(at, at + piece));
  return converted.slice(0, room);
}

const fill = (text: string, value: (name: string) => string): string =>
  text.replace(placeholder, (_whole, name: string) => value(name));

function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
