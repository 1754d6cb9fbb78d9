import { hash } from "node:crypto";
import type { MailComposerAttachment } from "nodemailer/lib/mail-composer";
import { quoteString } from "nodemailer/lib/mime-funcs";
import type { Attachment } from "../domain/records.ts";
import { headerText, oneLine } from "./header-text.ts";

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
function fileName(given: string): string {
  const name = oneLine(given).split(/[/\\]/).at(-1)?.trim() ?? "";
  return name === "" ? "attachment" : name;
}

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
