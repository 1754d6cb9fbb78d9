import { limits } from "../../generated/limits.ts";
import type { Attachment, MessageContent } from "./records.ts";

/** The largest message in bytes: megabytes are taken as 1,048,576 bytes, and a message of exactly this size as one that goes. */
export const largestMessage = limits.messageSize * 1024 * 1024;

/** The bytes of a message: its attachments decoded, its subject and its bodies. */
export function messageSize(
  content: Pick<MessageContent, "subject" | "html" | "text" | "attachments">,
): number {
  let size = Buffer.byteLength(content.subject);
  if (content.html !== null) size += Buffer.byteLength(content.html);
  if (content.text !== null) size += Buffer.byteLength(content.text);
  for (const attachment of content.attachments) size += attachmentSize(attachment);
  return size;
}

/** The bytes of an attachment; a file behind a link is not known yet and counts nothing. */
function attachmentSize(attachment: Attachment): number {
  return "content" in attachment ? decodedSize(attachment.content) : 0;
}

/** How many bytes a text in base64 stands for. */
export function decodedSize(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}

/** The bytes that a message as requested holds at the least, whatever else is wrong with it. */
export function requestedSize(message: Record<string, unknown>): number {
  let size = 0;
  for (const name of ["subject", "html", "text"]) {
    const value = message[name];
    if (typeof value === "string") size += Buffer.byteLength(value);
  }
  if (!Array.isArray(message.attachments)) return size;
  for (const attachment of message.attachments.slice(0, limits.attachments)) {
    const content: unknown = attachment?.content;
    if (typeof content === "string") size += decodedSize(content);
  }
  return size;
}
