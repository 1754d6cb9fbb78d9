import type { MailComposerAttachment } from "nodemailer/lib/mail-composer";
import type { Attachment } from "../domain/records.ts";
import { bareMediaType, oneLine, safeMediaType } from "./part-header.ts";

/** On the note that stands for a file: where it would have come from. */
export const linkHeader = "X-Sandbox-Attachment-Link";

/** A file as a part of the message. One that is only linked to is a note that says so. */
export function composeAttachment(attachment: Attachment): MailComposerAttachment {
  return "content" in attachment ? file(attachment, attachment.content) : note(attachment);
}

function file(attachment: Attachment, content: string): MailComposerAttachment {
  const cid = attachment.content_id === undefined ? "" : contentId(attachment.content_id);
  const inline = cid !== "" && bareMediaType(attachment.content_type).startsWith("image/");
  return {
    filename: fileName(attachment.filename),
    content: Buffer.from(content, "base64"),
    contentType: safeMediaType(attachment.content_type),
    contentDisposition: inline ? "inline" : "attachment",
    ...(cid === "" ? {} : { cid }),
  };
}

function note(attachment: { filename: string; path: string }): MailComposerAttachment {
  const name = fileName(attachment.filename);
  const link = oneLine(attachment.path);
  return {
    filename: `${name}.txt`,
    content: Buffer.from(
      `Here would stand "${name}".\r\nIt was not downloaded from ${link}\r\nbecause downloads are switched off.\r\n`,
    ),
    contentType: "text/plain; charset=utf-8",
    contentDisposition: "attachment",
    headers: { [linkHeader]: link },
  };
}

/** What the recipient's mail program saves the file as: a name, never a way to another folder. */
export function fileName(given: string): string {
  const name = oneLine(given).split(/[/\\]/).at(-1)?.trim() ?? "";
  return name === "" ? "attachment" : name;
}

/** What `cid:` links name it by, without what a header could not hold. */
export function contentId(given: string): string {
  return oneLine(given).replace(/[<>\s]/g, "");
}
