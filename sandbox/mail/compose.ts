import { createHash } from "node:crypto";
import { domainToASCII } from "node:url";
import MailComposer from "nodemailer/lib/mail-composer";
import type { Message } from "../domain/records.ts";
import { composeAttachment } from "./compose-attachment.ts";
import { headerText, oneLine } from "./header-text.ts";

/** The headers that a request can set. Any other could change the recipients or the structure of the message. */
const extraHeader = /^(?:X-[!-9;-~]*|List-Unsubscribe(?:-Post)?)$/i;

/** Composes a message as MIME, without its `bcc` recipients. The same record always gives the same bytes. */
export async function compose(message: Message): Promise<Uint8Array> {
  const { subject, html, text, reply_to, headers, attachments } = message.content;
  const extra = Object.entries(headers).filter(([name]) => extraHeader.test(name));
  const mail = new MailComposer({
    from: mailbox(message.from),
    to: message.to.map(mailbox),
    cc: message.cc.map(mailbox),
    ...(reply_to !== null && { replyTo: mailbox(reply_to) }),
    subject: headerText(subject),
    date: new Date(message.sentAt ?? message.scheduledAt ?? message.createdAt),
    messageId: messageId(message),
    headers: extra.map(([key, value]) => ({ key, value: headerText(value) })),
    ...(text !== null && { text: body(text) }),
    ...(html !== null && { html: body(html) }),
    attachments: attachments.map(composeAttachment),
    encoding: "quoted-printable",
    baseBoundary: boundary(message),
    newline: "windows",
    // Content must never be read as a path or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // nodemailer omits headers without a value.
  const empty = extra.filter(([, value]) => value === "").map(([name]) => `${name}:\r\n`);
  return Buffer.concat([Buffer.from(empty.join("")), await mail.compile().build()]);
}

/** An object, so that nothing in an email address is parsed as a display name, a group or a second address. */
const mailbox = (address: string): { name: string; address: string } => ({
  name: "",
  address: oneLine(address),
});

/** The Message-ID: the message id at the domain of the sender. */
export function messageId(message: Message): string {
  const domain = domainToASCII(message.from.slice(message.from.lastIndexOf("@") + 1));
  return `<${message.id.replace(/[^\w.-]/g, "")}@${domain === "" ? "localhost" : domain}>`;
}

/** A body with CRLF line ends. For nodemailer, an empty string is no body. */
const body = (text: string): { content: string | Buffer } => ({
  content: text.toWellFormed().replace(/\r\n?|\n/g, "\r\n") || Buffer.alloc(0),
});

/** A hash of the whole message, so that no body can contain the boundary. */
const boundary = ({ id, from, to, content }: Message): string =>
  createHash("sha256")
    .update(JSON.stringify([id, from, to, content]))
    .digest("hex")
    .slice(0, 24);
