import { createHash } from "node:crypto";
import { domainToASCII } from "node:url";
import MailComposer from "nodemailer/lib/mail-composer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import type { Message } from "../domain/records.ts";
import { composeAttachment } from "./compose-attachment.ts";
import { oneLine } from "./part-header.ts";

/** Header names that a sender may choose. Anything else would let a message name its own recipients or structure. */
const extraHeader = /^(?:X-[!-9;-~]+|List-Unsubscribe(?:-Post)?)$/i;

/**
 * Composes a message as MIME, the way it goes out: bytes that are the same each time, for the same record. Recipients in `bcc` stand
 * nowhere in it.
 */
export async function compose(message: Message): Promise<Uint8Array> {
  const { subject, html, text, reply_to, headers, attachments } = message.content;
  const mail = new MailComposer({
    from: mailbox(message.from),
    to: message.to.map(mailbox),
    cc: message.cc.map(mailbox),
    ...(reply_to === null ? {} : { replyTo: mailbox(reply_to) }),
    subject: oneLine(subject),
    date: new Date(outgoingAt(message)),
    messageId: messageId(message),
    headers: extraHeaders(headers),
    ...(text === null ? {} : { text: body(text) }),
    ...(html === null ? {} : { html: body(html) }),
    attachments: attachments.map(composeAttachment),
    encoding: "quoted-printable",
    baseBoundary: boundary(message),
    newline: "windows",
    // What a message says is never taken for a path or an address to read from.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return mail.compile().build();
}

/** When the message went out, or is to go out. */
function outgoingAt(message: Message): number {
  return message.sentAt ?? message.scheduledAt ?? message.createdAt;
}

/** As an object, so that nothing in an address is read as a name, a group or a second address. */
function mailbox(address: string): { name: string; address: string } {
  return { name: "", address: oneLine(address) };
}

/** The name that mail programs know the message by: its id at the sender's domain. */
export function messageId(message: Message): string {
  const domain = domainToASCII(message.from.slice(message.from.lastIndexOf("@") + 1));
  return `<${message.id.replace(/[^\w.-]/g, "")}@${domain === "" ? "localhost" : domain}>`;
}

/** Lines end the one way that SMTP knows, wherever they were written. An empty string would be no body at all to nodemailer. */
function body(text: string): { content: string | Buffer } {
  return { content: text.toWellFormed().replace(/\r\n?|\n/g, "\r\n") || Buffer.alloc(0) };
}

function extraHeaders(headers: Record<string, string>): { key: string; value: string }[] {
  return Object.entries(headers)
    .filter(([name]) => extraHeader.test(name))
    .map(([key, value]) => ({ key, value: foldable(key, oneLine(value)) }));
}

/** A value that fits lines of 998 bytes, the longest of SMTP. What has no space to break at is encoded, where readers would know it again. */
function foldable(name: string, value: string): string {
  return /^X-/i.test(name) && /\S{900}/.test(value) ? encodeWord(value, "Q", 52) : value;
}

/** Made of all that the message says, so that no body can hold the line which ends it. */
function boundary(message: Message): string {
  const { id, from, to, content } = message;
  return createHash("sha256")
    .update(JSON.stringify([id, from, to, content]))
    .digest("hex")
    .slice(0, 24);
}
