import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { limits } from "../../generated/limits.ts";
import { mail, start, startRig, time, without } from "./rig.ts";

const later = (milliseconds: number) => time(start + milliseconds);

const template = (id: string): Record<string, unknown> =>
  without(mail({ template_id: id }), "subject", "text");

const rejected = parse(readFileSync(join(import.meta.dirname, "rejected.yaml"), "utf8")) as Record<
  string,
  { change?: Record<string, unknown>; without?: string[]; fields: Record<string, string> }
>;

test.each(Object.entries(rejected))("%s has one error, in its own words", async (_name, given) => {
  const { post } = await startRig();
  const body = { ...without(mail(), ...(given.without ?? [])), ...given.change };
  const fields = Object.fromEntries(Object.entries(given.fields).map(([name, says]) => [name, [says]]));
  expect((await post("/api/v1/emails", body)).body.error.fields).toEqual(fields);
});

test("an invalid field does not hide what is wrong with the others", async () => {
  const { post } = await startRig();
  const attachments = [
    { filename: "a", path: "https://10.0.0.1/a" },
    { path: "https://localhost/b" },
    { filename: "c", path: "http://10.0.0.1/c" },
    "d",
  ];
  const change = { to: [], cc: ["ada"], scheduled_at: later(-1), attachments };
  const response = await post("/api/v1/emails", { ...template("nothing"), ...change });
  expect(response.fields.toSorted()).toEqual([
    "attachments.0.path",
    "attachments.1.filename",
    "attachments.1.path",
    "attachments.2.path",
    "attachments.3",
    "cc.0",
    "scheduled_at",
    "template_id",
    "to",
  ]);
  expect(response.body.error.fields["attachments.2.path"]).toEqual(["Must start with https://."]);
});

test("in a batch neither does one, and what a batch does not take is told of once", async () => {
  const { post } = await startRig();
  const attachments = [{ filename: "a.pdf", path: "https://10.0.0.1/a" }];
  const emails = [
    { ...template("nothing"), cc: ["ada"], scheduled_at: later(-1), attachments },
    mail({ to: [] }),
    "x",
    mail(),
    mail({ from: "a", subject: 1 }),
  ];
  const { body } = await post("/api/v1/emails/batch", { emails });
  expect(Object.keys(body.error.fields).toSorted()).toEqual([
    "emails.0.attachments",
    "emails.0.cc.0",
    "emails.0.scheduled_at",
    "emails.0.template_id",
    "emails.1.to",
    "emails.2",
    "emails.4.from",
    "emails.4.subject",
  ]);
  expect(body.error.fields["emails.0.scheduled_at"]).toEqual(["Is not allowed in a batch."]);
});

test("in a large body, a field with too many entries does not hide what is wrong with the others", async () => {
  const { post } = await startRig();
  const pairs = (name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [name(index), "v"]));
  const message = mail({
    to: Array.from({ length: 2000 }, (_, index) => `reader${index}@customers.example`),
    ...{ tags: pairs((n) => `a tag ${n}`), headers: pairs((n) => `B${n}`) },
    ...{ cc: ["ada"], html: "x".repeat(100_000) },
  });
  const names = ["cc.0", "headers", "tags", "to"];
  expect((await post("/api/v1/emails", message)).fields.toSorted()).toEqual(names);
  const batch = await post("/api/v1/emails/batch", { emails: [message] });
  expect(batch.fields.toSorted()).toEqual(names.map((name) => `emails.0.${name}`));
});

test("a message of exactly the largest size is taken, one byte more is not, and base64 may have line breaks", async () => {
  const { post } = await startRig();
  const size = limits.messageSize * 1024 * 1024;
  const content = Buffer.alloc(size / 2)
    .toString("base64")
    .replace(/^.{8}/, "$&\r\n");
  const message = (text: number) =>
    mail({ subject: "", text: "x".repeat(text), attachments: [{ filename: "a", content }] });
  expect((await post("/api/v1/emails", message(size / 2))).status).toBe(202);
  expect((await post("/api/v1/emails", message(size / 2 + 1))).status).toBe(413);
});

test("a body larger than anything that is read is too large for a send, and unreadable elsewhere", async () => {
  const { call } = await startRig();
  const raw = new Uint8Array(41 * 1024 * 1024);
  expect((await call("POST", "/api/v1/emails", { raw })).status).toBe(413);
  const other = await call("POST", "/api/v1/newsletter/contacts", { raw });
  expect([other.status, other.body.error.fields]).toEqual([
    422,
    { body: ["Must not be larger than 40 MiB."] },
  ]);
});

// In HTML, an ampersand has five characters, and the template has the name twice.
test.each([
  ["&", 3, 202],
  ["&", 6, 413],
  ["&", 20, 413],
  ["\n", 20, 413],
  ["x", 20, 413],
])("a template filled with %j, %i MiB of them, gets %i", async (unit, megabytes, status) => {
  const { post } = await startRig();
  const variables = { name: unit.repeat(megabytes * 1024 * 1024), order: { list: [unit.repeat(1024)] } };
  expect((await post("/api/v1/emails", { ...template("order-ready"), variables })).status).toBe(status);
});
