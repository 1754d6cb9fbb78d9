import { expect, test } from "vitest";
import { limits } from "../../generated/limits.ts";
import { keys, mail, start, startRig, time, without } from "./rig.ts";

const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `reader${index}@customers.example`);
const pairs = (count: number, name: (index: number) => string, value = "v") =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), value]));
const later = (milliseconds: number) => time(start + milliseconds);
const faults: [name: string, body: unknown, fields: string[]][] = [
  ["no sender", without(mail(), "from"), ["from"]],
  ["a display name", mail({ from: "Ada <ada@bakery.example>" }), ["from"]],
  ["no recipients", without(mail(), "to"), ["to"]],
  ["an empty list of recipients", mail({ to: [] }), ["to"]],
  ["a recipient as text", mail({ to: "ada@customers.example" }), ["to"]],
  ["a recipient that is no address", mail({ to: ["ada@customers.example", "ada"] }), ["to.1"]],
  ["no subject", without(mail(), "subject"), ["subject"]],
  ["no body", without(mail(), "text"), ["html", "text"]],
  ["several faults", { to: "x", html: 1 }, ["from", "subject", "to", "html"]],
  ["a template and a subject", mail({ template_id: "order-ready" }), ["subject", "text"]],
  ["a template id that is null", mail({ template_id: null }), ["template_id"]],
  ["a template id that is a number", mail({ template_id: 7, html: "<p>" }), ["template_id"]],
  ["an unknown template", template("nothing"), ["template_id"]],
  ["a template that is not published", template("draft"), ["template_id"]],
  ["another account's template", template("bouquet"), ["template_id"]],
  ["a time without offset", mail({ scheduled_at: "2026-03-11T09:00:00" }), ["scheduled_at"]],
  ["a day that does not exist", mail({ scheduled_at: "2026-04-31T09:00Z" }), ["scheduled_at"]],
  ["a time in words", mail({ scheduled_at: "in an hour Z" }), ["scheduled_at"]],
  ["an attachment with neither", file({ filename: "a" }), ["attachments.0.content", "attachments.0.path"]],
  [
    "an attachment with both",
    file({ filename: "a", content: "", path: "https://a.example.com" }),
    ["attachments.0.path"],
  ],
  ["an attachment without a name", file({ content: "aGk=" }), ["attachments.0.filename"]],
  ["an attachment that is not base64", file({ filename: "a", content: "?" }), ["attachments.0.content"]],
  ["an attachment that is text", file("a"), ["attachments.0"]],
  ["a link without https", file({ filename: "a", path: "http://files.example.com" }), ["attachments.0.path"]],
  ["a link to this machine", file({ filename: "a", path: "https://localhost/a" }), ["attachments.0.path"]],
];

function file(attachment: unknown): Record<string, unknown> {
  return mail({ attachments: [attachment] });
}

function template(id: string): Record<string, unknown> {
  return without(mail({ template_id: id }), "subject", "text");
}

test.each(faults)("%s is rejected, and named in a sentence", async (_name, body, fields) => {
  const { post } = await startRig();
  const response = await post("/api/v1/emails", body);
  expect(response.status).toBe(422);
  expect(response.fields.toSorted()).toEqual(fields.toSorted());
  const sentences = Object.values(response.body.error.fields as Record<string, string[]>).flat();
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(response.text).not.toMatch(/oneOf|must match|schema/);
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
  const emails = [
    {
      ...template("nothing"),
      cc: ["ada"],
      scheduled_at: later(-1),
      attachments: [{ filename: "a.pdf", path: "https://10.0.0.1/a" }],
    },
  ];
  const { body } = await post("/api/v1/emails/batch", { emails });
  expect(Object.keys(body.error.fields).toSorted()).toEqual([
    "emails.0.attachments",
    "emails.0.cc.0",
    "emails.0.scheduled_at",
    "emails.0.template_id",
  ]);
  expect(body.error.fields["emails.0.scheduled_at"]).toEqual(["Is not allowed in a batch."]);
});

test.each<[string, Record<string, unknown>, object]>([
  [
    "a display name",
    mail({ from: "Ada <ada@bakery.example>" }),
    { from: ["Must be an email address without a display name, such as ada@example.com."] },
  ],
  [
    "a line feed at the end of a header value",
    mail({ headers: { "X-Campaign": "spring\n" } }),
    { "headers.X-Campaign": ["Must not have line breaks."] },
  ],
  ...["?", "abc", "aGVs_G8-"].map((content): [string, Record<string, unknown>, object] => [
    `the base64 ${content}`,
    file({ filename: "a", content }),
    { "attachments.0.content": ["Must be base64."] },
  ]),
  [
    "a time without minutes",
    mail({ scheduled_at: "2026-12-01T10Z" }),
    {
      scheduled_at: [expect.stringMatching(/a calendar date that exists, hours and minutes, and an offset/)],
    },
  ],
])("%s has one error, in its own words", async (_name, body, fields) => {
  const { post } = await startRig();
  expect((await post("/api/v1/emails", body)).body.error.fields).toEqual(fields);
});

test("base64 may have line breaks", async () => {
  const { post } = await startRig();
  const body = file({ filename: "a", content: "aGVs\r\nbG8=\r\n" });
  expect((await post("/api/v1/emails", body)).status).toBe(202);
});

test("a template is too large if its values are, once they are escaped", async () => {
  const { post } = await startRig();
  const filled = (megabytes: number) => {
    const values = { name: "&".repeat(megabytes * 1024 * 1024), order: "1042" };
    return post("/api/v1/emails", { ...template("order-ready"), variables: values });
  };
  // In HTML, an ampersand has five characters.
  expect((await filled(3)).status).toBe(202);
  const large = await filled(6);
  expect([large.status, large.type]).toEqual([413, "send_rejected"]);
});

test("in a large body, a field with too many entries does not hide what is wrong with the others", async () => {
  const { post } = await startRig();
  const many = {
    to: addresses(2000),
    tags: pairs(2000, (n) => `a tag ${n}`),
    headers: pairs(2000, (n) => `B${n}`),
  };
  const message = mail({ ...many, cc: ["ada"], html: "x".repeat(100_000) });
  const single = await post("/api/v1/emails", message);
  expect(single.fields.toSorted()).toEqual(["cc.0", "headers", "tags", "to"]);
  const batch = await post("/api/v1/emails/batch", { emails: [message] });
  expect(batch.fields.toSorted()).toEqual(
    ["cc.0", "headers", "tags", "to"].map((name) => `emails.0.${name}`),
  );
});

test("a message of exactly the largest size is taken, and one byte more is not", async () => {
  const { post } = await startRig();
  const size = limits.messageSize * 1024 * 1024;
  const content = Buffer.alloc(size / 2).toString("base64");
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
  expect([other.status, other.fields]).toEqual([422, ["body"]]);
  expect(other.body.error.fields.body).toEqual(["Must not be larger than 40 MiB."]);
});

test("a domain that a key or an account cannot send from", async () => {
  const { post } = await startRig();
  const from = async (address: string, key: string) => {
    const { status, type, headers } = await post("/api/v1/emails", mail({ from: address }), { key });
    const wait = headers["retry-after"];
    return `${status} ${type ?? "accepted"}${wait === undefined ? "" : `, wait ${wait}`}`;
  };
  expect(await from("a@bakery.example", keys.restricted)).toBe("403 send_rejected");
  expect(await from("a@SHOP.bakery.example", keys.restricted)).toBe("202 accepted");
  expect(await from("a@florist.example", keys.all)).toBe("403 send_rejected");
  expect(await from("a@sub.bakery.example", keys.all)).toBe("403 send_rejected");
  expect(await from("a@unverified.bakery.example", keys.all)).toBe("409 send_rejected");
  expect(await from("a@stopped.bakery.example", keys.all)).toBe("409 send_rejected");
  expect(await from("a@starter.example", keys.noDomain)).toBe("422 send_rejected");
  expect(await from("a@cinema.example", keys.ceiling)).toBe("429 send_rejected, wait 3600");
});

test.each(["&", "\n", "x"])("a template filled with megabytes of %j is too large", async (unit) => {
  const { post } = await startRig();
  // In HTML, the ampersands have 100 megabytes, and the template has them twice.
  const values = { name: unit.repeat(20 * 1024 * 1024), order: { list: [unit.repeat(1024)] } };
  const sent = without(mail({ template_id: "order-ready", variables: values }), "subject", "text");
  const response = await post("/api/v1/emails", sent);
  expect([response.status, response.type]).toEqual([413, "send_rejected"]);
});
