import { hash } from "node:crypto";
import { domainToASCII } from "node:url";
import MailComposer, { type MailComposerAttachment } from "nodemailer/lib/mail-composer";
import { encodeWord, quoteString } from "nodemailer/lib/mime-funcs";
import type { Attachment, Message } from "../domain/records.ts";

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
    // A hash of the whole message, so that no body can contain the boundary.
    baseBoundary: hash(
      "sha256",
      JSON.stringify([message.id, message.from, message.to, message.content]),
    ).slice(0, 24),
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
const mailbox = (address: string) => ({ name: "", address: oneLine(address) });

/** The Message-ID: the message id at the domain of the sender. */
export function messageId(message: Message): string {
  const domain = domainToASCII(message.from.slice(message.from.lastIndexOf("@") + 1));
  return `<${message.id.replace(/[^\w.-]/g, "")}@${domain === "" ? "localhost" : domain}>`;
}

/** A body with CRLF line ends. For nodemailer, an empty string is no body. */
const body = (text: string): { content: string | Buffer } => ({
  content: text.toWellFormed().replace(/\r\n?|\n/g, "\r\n") || Buffer.alloc(0),
});

/** The header with the link of an attachment that was not downloaded. */
export const linkHeader = "X-Sandbox-Attachment-Link";

const defaultType = "application/octet-stream";

/** A media type with parameters (RFC 2045). */
const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(?:\s*;[ -~]*)?$/i;

/** The MIME part of an attachment; a text in place of one that was not downloaded. */
export function composeAttachment(attachment: Attachment): MailComposerAttachment {
  const filename = fileName(attachment.filename);
  if ("path" in attachment) return linkNote(filename, oneLine(attachment.path));
  const contentType = safeMediaType(attachment.content_type);
  const cid = contentId(attachment.content_id ?? "");
  return {
    ...named(filename, cid !== "" && /^image\//i.test(contentType) ? "inline" : "attachment"),
    content: Buffer.from(attachment.content, "base64"),
    contentType,
    ...(cid !== "" && { cid }),
  };
}

const linkNote = (filename: string, link: string): MailComposerAttachment => ({
  ...named(`${filename}.txt`, "attachment"),
  content: Buffer.from(
    `The attachment "${filename}"\r\nwas not downloaded from ${link}\r\nbecause the sandbox runs without --downloads.\r\n`,
  ),
  contentType: "text/plain; charset=utf-8",
  headers: { [linkHeader]: headerText(link) },
});

/**
 * The name of a file. nodemailer divides it into short parts in one header (RFC 2231) and repeats it undivided in another, for old mail
 * clients: not if it has a word that does not fit in a line.
 */
const named = (filename: string, disposition: "inline" | "attachment"): MailComposerAttachment =>
  /[!-~]{800}/.test(filename)
    ? { filename: false, contentDisposition: `${disposition}; filename=${quoteString(filename)}` }
    : { filename, contentDisposition: disposition };

/** A file name without folders. */
const fileName = (given: string): string => oneLine(given).split(/[/\\]/).at(-1)?.trim() || "attachment";

/** A content id without characters that are invalid in its header; a digest of one that does not fit in a line. */
function contentId(given: string): string {
  const id = oneLine(given).replace(/[<>\s]/g, "");
  return Buffer.byteLength(id) > 900 ? hash("sha256", id) : id;
}

/**
 * The media type, or `application/octet-stream` for an invalid one and for `multipart/*`, which would make the bytes of the file part of
 * the message structure.
 */
function safeMediaType(given = defaultType): string {
  const type = given.trim();
  return mediaType.test(type) && !/^multipart\//i.test(type) ? type : defaultType;
}

/**
 * What does not survive folding: blanks at the ends, several in a row, tabs, control characters, words longer than a line, and what would be
 * decoded.
 */
const unfoldable = /^\s|\s$|\s\s|[^\S ]|\p{Cc}|\S{900}|=\?[^?]*\?[bq]\?/iu;

/**
 * Text for a header that arrives unchanged, in lines of at most 998 bytes (RFC 5322, 2.1.1). nodemailer folds it, and encodes other scripts
 * (RFC 2047); what folding would change is encoded here. Only line breaks become spaces.
 */
export function headerText(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ").toWellFormed();
  return unfoldable.test(line) ? encodeWord(line, "Q", 52) : line;
}

/** Text for a part of a header, without line breaks and control characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\r\n\u2028\u2029]+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .toWellFormed();
