import type { Attachment, Message, MessageContent } from "../../../sandbox/domain/records.ts";
import { sentMessage } from "../store/records.ts";

/** When the messages of these tests are sent: 2026-09-10T00:26:40Z. */
export const sentAt = Date.UTC(2026, 8, 10, 0, 26, 40);

/** A sent message with overrides. */
export function message(
  changes: Partial<Omit<Message, "content">> = {},
  content: Partial<MessageContent> = {},
): Message {
  const record = sentMessage("msg_0001", {
    ...{ accountId: "acme", from: "hello@example.com", tags: {} },
    ...{ createdAt: sentAt, sentAt, events: [{ type: "sent", at: sentAt, detail: null }], dueAt: sentAt },
    ...changes,
  });
  const usual = { ...record.content, subject: "Your receipt", html: null, text: "Thank you." };
  return { ...record, content: { ...usual, ...content } };
}

/** An attachment with these bytes. */
export function file(
  filename: string,
  bytes: string | Uint8Array,
  more: Partial<Attachment> = {},
): Attachment {
  return { filename, content: Buffer.from(bytes).toString("base64"), ...more };
}
