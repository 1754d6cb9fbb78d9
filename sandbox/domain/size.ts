import { limits } from "../../generated/limits.ts";
import { lineBreaks } from "../../lib/text.ts";
import type { MessageContent } from "./records.ts";

/** The largest message that is accepted, in bytes: a megabyte is 1,048,576 bytes. */
export const largestMessage = limits.messageSize * 1024 * 1024;

/** The size of a message in bytes: decoded attachments, subject and bodies. */
export function messageSize(
  content: Pick<MessageContent, "subject" | "html" | "text" | "attachments">,
): number {
  let size = Buffer.byteLength(content.subject);
  if (content.html !== null) size += Buffer.byteLength(content.html);
  if (content.text !== null) size += Buffer.byteLength(content.text);
  for (const attachment of content.attachments) {
    // A linked file has no known size yet and counts as 0.
    if ("content" in attachment) size += decodedSize(attachment.content);
  }
  return size;
}

/** The decoded size of base64, which may have line breaks. */
export function decodedSize(base64: string): number {
  const first = base64.indexOf("=");
  const padding = first < 0 ? 0 : base64.includes("=", first + 1) ? 2 : 1;
  return Math.floor(((base64.length - lineBreaks(base64) - padding) * 3) / 4);
}

/** The least size of a message in a request that is not validated yet. */
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
