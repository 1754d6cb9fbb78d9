import type { Attachment, Message, MessageContent } from "../../../sandbox/domain/records.ts";

/** The moment at which messages of these tests are sent: 2026-09-10T00:26:40Z. */
export const sentAt = Date.UTC(2026, 8, 10, 0, 26, 40);

/** A message that has just gone out, with what a test wants to be different about it. */
export function message(
  changes: Partial<Omit<Message, "content">> = {},
  content: Partial<MessageContent> = {},
): Message {
  return {
    ...{
      id: "msg_0001",
      accountId: "acme",
      from: "hello@example.com",
      to: ["ada@example.org"],
      cc: [],
      bcc: [],
    },
    ...{
      tags: {},
      status: "sent",
      createdAt: sentAt,
      scheduledAt: null,
      sentAt,
      deliveredAt: null,
      bouncedAt: null,
    },
    ...{
      complainedAt: null,
      bounce: null,
      events: [{ type: "sent", at: sentAt, detail: null }],
      dueAt: sentAt,
    },
    ...changes,
    content: {
      ...{
        subject: "Your receipt",
        html: null,
        text: "Thank you.",
        reply_to: null,
        headers: {},
        attachments: [],
      },
      ...content,
    },
  };
}

/** A file with these bytes. */
export function file(
  filename: string,
  bytes: string | Uint8Array,
  more: Partial<Attachment> = {},
): Attachment {
  return { filename, content: Buffer.from(bytes).toString("base64"), ...more };
}
