import { address, type BodyCase, batch, file, message, refused, send, taken, upsert } from "./bodies.ts";

const without = (field: string): object =>
  Object.fromEntries(Object.entries(message).filter(([name]) => name !== field));
const refusedSend = (what: string, fields: object, keyword: string, at: string): BodyCase =>
  refused("sendEmail", what, send(fields), { keyword, at });
const takenSend = (what: string, body: unknown): BodyCase => taken("sendEmail", what, body);
const attached = (attachment: object): object => ({ attachments: [attachment] });

/** Rules on the shape of a message. */
export const shapeCases: BodyCase[] = [
  takenSend("a message with a plain body only", message),
  takenSend("a message with a formatted body only", { ...without("text"), html: "<p>Hello</p>" }),
  takenSend("a message from a template", {
    from: address,
    to: [address],
    template_id: "t_1",
    variables: { n: 1 },
  }),
  takenSend("a message with a field that nobody knows", { ...message, priority: "high" }),
  takenSend(
    "a file by its https link",
    send(attached({ filename: "a.txt", path: "https://example.com/a.txt" })),
  ),
  takenSend("a time with its offset", send({ scheduled_at: "2026-12-24T18:00:00+01:00" })),
  refusedSend("a message with a template and a subject", { template_id: "t_1" }, "not", ""),
  refusedSend("a sender with a display name", { from: `Ada <${address}>` }, "format", "/from"),
  refusedSend("a single recipient outside a list", { to: address }, "type", "/to"),
  refusedSend("a recipient that is no address", { to: ["ada"] }, "format", "/to/0"),
  refusedSend("a label with a space in its name", { tags: { "a b": "c" } }, "pattern", "/tags"),
  refusedSend("a label with a number as its value", { tags: { a: 1 } }, "type", "/tags/a"),
  refusedSend("an extra header of another name", { headers: { Subject: "x" } }, "pattern", "/headers"),
  refusedSend("an extra header with a line break", { headers: { "X-A": "a\nb" } }, "pattern", "/headers/X-A"),
  refusedSend("a time without an offset", { scheduled_at: "2026-12-24T18:00:00" }, "format", "/scheduled_at"),
  refusedSend("a file without a name", attached({ content: "aGVsbG8=" }), "required", "/attachments/0"),
  refusedSend(
    "a file with neither bytes nor link",
    attached({ filename: "a" }),
    "required",
    "/attachments/0",
  ),
  refusedSend(
    "a file that is not base64",
    attached({ ...file, content: "not base64!" }),
    "format",
    "/attachments/0/content",
  ),
  refusedSend(
    "a link without https",
    attached({ filename: "a", path: "http://example.com/a" }),
    "pattern",
    "/attachments/0/path",
  ),
  ...["from", "to", "subject"].map((field) =>
    refused("sendEmail", `a message without ${field}`, without(field), { keyword: "required", at: "" }),
  ),
  refused("sendEmail", "a message without a body", without("text"), { keyword: "required", at: "" }),
  ...[attached(file), { scheduled_at: "2026-12-24T18:00:00Z" }].map((fields) =>
    refused("sendBatch", `${Object.keys(fields)} in a batch`, batch(fields), {
      keyword: "not",
      at: "/emails/1",
    }),
  ),
];

/** Rules on the bodies of the other operations. */
export const otherCases: BodyCase[] = [
  taken("rescheduleEmail", "a time in UTC", { scheduled_at: "2026-12-24T18:00:00Z" }),
  refused("rescheduleEmail", "no time", {}, { keyword: "required", at: "" }),
  {
    name: "upsertContact: null clears a field",
    operation: "upsertContact",
    body: upsert({ fields: { city: null } }),
  },
  refused("upsertContact", "a contact without a list", { email: address }, { keyword: "required", at: "" }),
  refused("upsertContact", "a list by its name", upsert({ list_id: "News" }), {
    keyword: "type",
    at: "/list_id",
  }),
  taken("unsubscribeContact", "an empty body", {}),
  refused("unsubscribeContact", "a list by its name", { list_id: "1" }, { keyword: "type", at: "/list_id" }),
];
