import type { MailComposerAttachment } from "nodemailer/lib/mail-composer";
import type { Attachment } from "../domain/records.ts";

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
    filename,
    content: Buffer.from(attachment.content, "base64"),
    contentType,
    contentDisposition: cid !== "" && /^image\//i.test(contentType) ? "inline" : "attachment",
    ...(cid !== "" && { cid }),
  };
}

const linkNote = (filename: string, link: string): MailComposerAttachment => ({
  filename: `${filename}.txt`,
  content: Buffer.from(
    `The attachment "${filename}"\r\nwas not downloaded from ${link}\r\nbecause the sandbox runs without --downloads.\r\n`,
  ),
  contentType: "text/plain; charset=utf-8",
  contentDisposition: "attachment",
  headers: { [linkHeader]: link },
});

/** A file name without folders. */
function fileName(given: string): string {
  const name = oneLine(given).split(/[/\\]/).at(-1)?.trim() ?? "";
  return name === "" ? "attachment" : name;
}

/** A content id without characters that are invalid in its header. */
const contentId = (given: string): string => oneLine(given).replace(/[<>\s]/g, "");

/**
 * The media type, or `application/octet-stream` for an invalid one and for `multipart/*`, which would make the bytes of the file part of
 * the message structure.
 */
function safeMediaType(given = defaultType): string {
  const type = given.trim();
  return mediaType.test(type) && !/^multipart\//i.test(type) ? type : defaultType;
}

/** Text for a header field, without line breaks and control characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\r\n\u2028\u2029]+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .toWellFormed();
