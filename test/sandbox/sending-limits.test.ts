import { describe, expect, test } from "vitest";
import { limits } from "../../generated/limits.ts";
import { day, mail, start, startRig, time } from "./rig.ts";

const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `reader${index}@customers.example`);
const pairs = (count: number, name: (index: number) => string, value = "v") =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), value]));
const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ filename: `${index}.txt`, content: "aGVsbG8=" }));
const later = (milliseconds: number) => time(start + milliseconds);
const { recipientsPerField, subjectLength, messageTags, messageTagValueLength, extraHeaders, attachments } =
  limits;

/** The accepted value at the limit, the rejected one beyond it, and the field that is named. */
const edges: [name: string, taken: object, rejected: object, field: string][] = [
  [
    "recipients in to",
    { to: addresses(recipientsPerField) },
    { to: addresses(recipientsPerField + 1) },
    "to",
  ],
  [
    "recipients in cc",
    { cc: addresses(recipientsPerField) },
    { cc: addresses(recipientsPerField + 1) },
    "cc",
  ],
  [
    "recipients in bcc",
    { bcc: addresses(recipientsPerField) },
    { bcc: addresses(recipientsPerField + 1) },
    "bcc",
  ],
  [
    "a subject",
    { subject: "é".repeat(subjectLength) },
    { subject: "é".repeat(subjectLength + 1) },
    "subject",
  ],
  [
    "tags",
    { tags: pairs(messageTags, (n) => `t${n}`) },
    { tags: pairs(messageTags + 1, (n) => `t${n}`) },
    "tags",
  ],
  [
    "the value of a tag",
    { tags: { a: "x".repeat(messageTagValueLength) } },
    { tags: { a: "x".repeat(messageTagValueLength + 1) } },
    "tags.a",
  ],
  ["the name of a tag", { tags: { "Az9-_:.": "x" } }, { tags: { "a b": "x" } }, "tags.a b"],
  [
    "extra headers",
    { headers: pairs(extraHeaders, (n) => `X-H${n}`) },
    { headers: pairs(extraHeaders + 1, (n) => `X-H${n}`) },
    "headers",
  ],
  [
    "the name of a header",
    { headers: { "list-unsubscribe": "x" } },
    { headers: { Bcc: "x" } },
    "headers.Bcc",
  ],
  [
    "the value of a header",
    { headers: { "X-A": "b; c" } },
    { headers: { "X-A": "b\r\nBcc: c" } },
    "headers.X-A",
  ],
  [
    "attachments",
    { attachments: files(attachments) },
    { attachments: files(attachments + 1) },
    "attachments",
  ],
  [
    "how far ahead",
    { scheduled_at: later(limits.scheduleAhead * day) },
    { scheduled_at: later(limits.scheduleAhead * day + 1) },
    "scheduled_at",
  ],
  ["how far back", { scheduled_at: later(0) }, { scheduled_at: later(-1) }, "scheduled_at"],
  ["a link", link("https://files.example.com/a.pdf"), link("https://10.0.0.1/a.pdf"), "attachments.0.path"],
];

function link(path: string): object {
  return { attachments: [{ filename: "a.pdf", path }] };
}

describe.each(edges)("%s", (_name, taken, rejected, field) => {
  test("up to the limit is taken", async () => {
    const { post } = await startRig();
    expect((await post("/api/v1/emails", mail({ ...taken }))).status).toBe(202);
  });

  test("beyond the limit is rejected, and the field is named", async () => {
    const { post, sandbox } = await startRig();
    const response = await post("/api/v1/emails", mail({ ...rejected }));
    expect([response.status, response.type, response.fields]).toEqual([422, "invalid_request", [field]]);
    expect(await sandbox.store.messages({ limit: 1 })).toEqual([]);
  });

  test("in a batch, the message is named too", async () => {
    const { post } = await startRig();
    const response = await post("/api/v1/emails/batch", { emails: [mail(), mail(), mail({ ...rejected })] });
    const top = field.split(".")[0] ?? "";
    const named = ["attachments", "scheduled_at"].includes(top) ? top : field;
    expect([response.status, response.fields]).toEqual([422, [`emails.2.${named}`]]);
  });
});
