import {
  accepted,
  type BodyCase,
  batch,
  emailAddress,
  file,
  message,
  rejected,
  send,
  upsert,
} from "./bodies.ts";

const without = (field: string): object =>
  Object.fromEntries(Object.entries(message).filter(([name]) => name !== field));
const rejectedSend = (what: string, fields: object, keyword: string, at: string): BodyCase =>
  rejected("sendEmail", what, send(fields), { keyword, at });
const takenSend = (what: string, body: unknown): BodyCase => accepted("sendEmail", what, body);
const attached = (attachment: object): object => ({ attachments: [attachment] });

/** Rules on the shape of a message. */
export const shapeCases: BodyCase[] = [
  takenSend("a message with a plain body only", message),
  takenSend("a message with a formatted body only", { ...without("text"), html: "<p>Hello</p>" }),
  takenSend("a message from a template", {
    from: emailAddress,
    to: [emailAddress],
    template_id: "t_1",
    variables: { n: 1 },
  }),
  takenSend("a message with a field that nobody knows", { ...message, priority: "high" }),
  takenSend(
    "a file by its https link",
    send(attached({ filename: "a.txt", path: "https://example.com/a.txt" })),
  ),
  takenSend("a time with its offset", send({ scheduled_at: "2026-12-24T18:00:00+01:00" })),
  rejectedSend("a message with a template and a subject", { template_id: "t_1" }, "not", ""),
  rejectedSend("a sender with a display name", { from: `Ada <${emailAddress}>` }, "format", "/from"),
  rejectedSend("a single recipient outside a list", { to: emailAddress }, "type", "/to"),
  rejectedSend("a recipient that is not an email address", { to: ["ada"] }, "format", "/to/0"),
  rejectedSend("a label with a space in its name", { tags: { "a b": "c" } }, "pattern", "/tags"),
  rejectedSend("a label with a number as its value", { tags: { a: 1 } }, "type", "/tags/a"),
  rejectedSend("an extra header of another name", { headers: { Subject: "x" } }, "pattern", "/headers"),
  rejectedSend("an extra header with a line break", { headers: { "X-A": "a\nb" } }, "not", "/headers/X-A"),
  rejectedSend(
    "an extra header that ends with a line feed",
    { headers: { "X-A": "a\n" } },
    "not",
    "/headers/X-A",
  ),
  rejectedSend("a sender with a display name", { from: `Ada <${emailAddress}>` }, "pattern", "/from"),
  rejectedSend(
    "a time without an offset",
    { scheduled_at: "2026-12-24T18:00:00" },
    "format",
    "/scheduled_at",
  ),
  rejectedSend("a file without a name", attached({ content: "aGVsbG8=" }), "required", "/attachments/0"),
  rejectedSend(
    "a file with neither bytes nor link",
    attached({ filename: "a" }),
    "required",
    "/attachments/0",
  ),
  rejectedSend(
    "a file that is not base64",
    attached({ ...file, content: "not base64!" }),
    "format",
    "/attachments/0/content",
  ),
  rejectedSend(
    "a link without https",
    attached({ filename: "a", path: "http://example.com/a" }),
    "pattern",
    "/attachments/0/path",
  ),
  ...["from", "to", "subject"].map((field) =>
    rejected("sendEmail", `a message without ${field}`, without(field), { keyword: "required", at: "" }),
  ),
  rejected("sendEmail", "a message without a body", without("text"), { keyword: "required", at: "" }),
  ...[attached(file), { scheduled_at: "2026-12-24T18:00:00Z" }].map((fields) =>
    rejected("sendBatch", `${Object.keys(fields)} in a batch`, batch(fields), {
      keyword: "not",
      at: "/emails/1",
    }),
  ),
];

/** Rules on the bodies of the other operations. */
export const otherCases: BodyCase[] = [
  accepted("rescheduleEmail", "a time in UTC", { scheduled_at: "2026-12-24T18:00:00Z" }),
  rejected("rescheduleEmail", "no time", {}, { keyword: "required", at: "" }),
  {
    name: "upsertContact: null clears a field",
    operation: "upsertContact",
    body: upsert({ fields: { city: null } }),
  },
  rejected(
    "upsertContact",
    "a contact without a list",
    { email: emailAddress },
    { keyword: "required", at: "" },
  ),
  rejected("upsertContact", "a list by its name", upsert({ list_id: "News" }), {
    keyword: "type",
    at: "/list_id",
  }),
  accepted("unsubscribeContact", "an empty body", {}),
  rejected("unsubscribeContact", "a list by its name", { list_id: "1" }, { keyword: "type", at: "/list_id" }),
];
