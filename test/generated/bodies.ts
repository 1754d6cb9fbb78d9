import { limits } from "../../generated/limits.ts";

/** Request bodies at both sides of every rule, for the request validators. */
interface BodyCase {
  /** The fact, as a sentence. */
  name: string;
  operation: "sendEmail" | "sendBatch" | "rescheduleEmail" | "upsertContact" | "unsubscribeContact";
  body: unknown;
  /** The keyword that rejects it and where; none where it is accepted. */
  rejected?: { keyword: string; at: string };
}

const emailAddress = "ada@example.com";
const message = { from: emailAddress, to: [emailAddress], subject: "Hello", text: "Hello there" };
const contact = { email: emailAddress, list_id: 1 };
const file = { filename: "a.txt", content: "aGVsbG8=" };
/** A body with the given fields in it. */
type Wrap = (fields: object) => unknown;
const send: Wrap = (fields) => ({ ...message, ...fields });
const batch: Wrap = (fields) => ({ emails: [message, { ...message, ...fields }] });
const upsert: Wrap = (fields) => ({ ...contact, ...fields });

type Operation = BodyCase["operation"];

/** A body that is accepted. */
const accepted = (operation: Operation, what: string, body: unknown): BodyCase => ({
  name: `${operation}: ${what} is accepted`,
  operation,
  body,
});

/** A body that the keyword at the place rejects. */
const rejected = (operation: Operation, what: string, body: unknown, keyword: string, at = ""): BodyCase => ({
  name: `${operation}: ${what} is rejected`,
  operation,
  body,
  rejected: { keyword, at },
});

/** What a property may have at most, and a value of so many. */
type Rule = [field: string, unit: string, limit: number, keyword: string, value: (count: number) => unknown];

const letters = (count: number): string => "x".repeat(count);
const emailAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `a${index}@example.com`);
const pairs = (count: number, name = "a"): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, "b"]));

const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index}`);

const sendRules: Rule[] = [
  ...["to", "cc", "bcc"].map(
    (field): Rule => [field, "email addresses", limits.recipientsPerField, "maxItems", emailAddresses],
  ),
  ["subject", "characters", limits.subjectLength, "maxLength", letters],
  ["tags", "pairs", limits.messageTags, "maxProperties", pairs],
  ["headers", "headers", limits.extraHeaders, "maxProperties", (count) => pairs(count, "X-A")],
];
const attachments = (count: number): object[] => Array.from({ length: count }, () => file);
const messages = (count: number): object[] => Array.from({ length: count }, () => message);
const contactRules: Rule[] = [
  ["first_name", "characters", limits.contactNameLength, "maxLength", letters],
  ["last_name", "characters", limits.contactNameLength, "maxLength", letters],
  ["fields", "values", limits.contactFields, "maxProperties", pairs],
  ["tags", "tags", limits.contactTags, "maxItems", texts],
];
const tag: Rule = ["order", "characters", limits.messageTagValueLength, "maxLength", letters];
const contactTag: Rule = ["0", "characters", limits.contactTagLength, "maxLength", letters];

/** Two cases of a rule: a value at its limit is accepted, one beyond it is rejected. */
function sides(operation: Operation, wrap: Wrap, prefix: string, rule: Rule): BodyCase[] {
  const [field, unit, limit, keyword, value] = rule;
  const body = (count: number): unknown => wrap({ [field]: value(count) });
  return [
    accepted(operation, `${field} of ${limit} ${unit}`, body(limit)),
    rejected(operation, `${field} of ${limit + 1} ${unit}`, body(limit + 1), keyword, `${prefix}/${field}`),
  ];
}

/** Both sides of every limit. */
export const limitCases: BodyCase[] = [
  ...sendRules.flatMap((rule) => sides("sendEmail", send, "", rule)),
  ...sides("sendEmail", send, "", ["attachments", "files", limits.attachments, "maxItems", attachments]),
  ...sendRules.flatMap((rule) => sides("sendBatch", batch, "/emails/1", rule)),
  ...contactRules.flatMap((rule) => sides("upsertContact", upsert, "", rule)),
  ...sides("sendEmail", (fields) => send({ tags: fields }), "/tags", tag),
  ...sides("upsertContact", (fields) => upsert({ tags: Object.values(fields) }), "/tags", contactTag),
  ...sides("sendBatch", (fields) => fields, "", [
    "emails",
    "messages",
    limits.batchMessages,
    "maxItems",
    messages,
  ]),
  rejected("sendBatch", "a batch of no message", { emails: [] }, "minItems", "/emails"),
];

const without = (field: string): object =>
  Object.fromEntries(Object.entries(message).filter(([name]) => name !== field));
const rejectedSend = (what: string, fields: object, keyword: string, at: string): BodyCase =>
  rejected("sendEmail", what, send(fields), keyword, at);
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
    rejected("sendEmail", `a message without ${field}`, without(field), "required"),
  ),
  rejected("sendEmail", "a message without a body", without("text"), "required"),
  ...[attached(file), { scheduled_at: "2026-12-24T18:00:00Z" }].map((fields) =>
    rejected("sendBatch", `${Object.keys(fields)} in a batch`, batch(fields), "not", "/emails/1"),
  ),
];

/** Rules on the bodies of the other operations. */
export const otherCases: BodyCase[] = [
  accepted("rescheduleEmail", "a time in UTC", { scheduled_at: "2026-12-24T18:00:00Z" }),
  rejected("rescheduleEmail", "no time", {}, "required"),
  accepted("upsertContact", "null, which clears a field,", upsert({ fields: { city: null } })),
  rejected("upsertContact", "a contact without a list", { email: emailAddress }, "required"),
  rejected("upsertContact", "a list by its name", upsert({ list_id: "News" }), "type", "/list_id"),
  accepted("unsubscribeContact", "an empty body", {}),
  rejected("unsubscribeContact", "a list by its name", { list_id: "1" }, "type", "/list_id"),
];
