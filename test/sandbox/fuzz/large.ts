import { jsonBounds } from "../../../sandbox/api/body.ts";

/** A request whose body is as large as its shape needs. */
export interface LargeRequest {
  name: string;
  path: string;
  body: Buffer;
}

/** As many values as a body may have, without the few that a message has anyway. */
const most = jsonBounds.values - 100;
const largeEmails = "/api/v1/emails";
const contacts = "/api/v1/newsletter/contacts";
const sender = '"from":"orders@bakery.example","to":["ada@customers.example"]';
const good = `${sender},"subject":"s","text":"t"`;
const template = `${sender},"template_id":"order-ready"`;

/** A text as often as it has room. */
const filled = (text: string, bytes: number): string =>
  text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

/** As many properties, joined, each with another name. */
const names = (count: number, name: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `"${name(index)}":1`).join();

/** Shapes that have taken too much time or memory, or could, each of about as many bytes. */
const shapes: [name: string, path: string, body: (bytes: number) => string][] = [
  ["lists", largeEmails, (bytes) => `{${good},"x":[${filled("[],", bytes)}[]]}`],
  ["objects", largeEmails, (bytes) => `{${good},"x":[${filled("{},", bytes)}{}]}`],
  ["levels", largeEmails, (bytes) => `{${good},"x":${filled("[", bytes / 2)}${filled("]", bytes / 2)}}`],
  ["properties", largeEmails, (bytes) => `{${good},${names(bytes / 14, (index) => `k${index}`)}}`],
  ["as many values as may be", largeEmails, () => `{${good},"x":[${"[],".repeat(most / 2)}[]]}`],
  ["as many properties", largeEmails, () => `{${good},${names(most, (index) => `${"k".repeat(100)}${index}`)}}`],
  ["texts", largeEmails, (bytes) => `{${good},"x":[${filled(`"${"x".repeat(200)}",`, bytes)}1]}`],
  ["one text", largeEmails, (bytes) => `{${good},"x":"${filled("x", bytes)}→"}`],
  ["quotation marks", largeEmails, (bytes) => `{${good},"x":"${filled('\\"', bytes)}"}`],
  ["backslashes", largeEmails, (bytes) => `{${good},"x":"${filled("\\\\", bytes)}"}`],
  ["a number", largeEmails, (bytes) => `{${good},"x":${filled("1", bytes)}}`],
  ["spaces", largeEmails, (bytes) => `{${good}${filled(" ", bytes)}}`],
  ["no JSON", largeEmails, (bytes) => filled("\u0000", bytes)],
  ["a body", largeEmails, (bytes) => `{${sender},"subject":"s","html":"${filled("x", bytes)}→"}`],
  ["a subject", largeEmails, (bytes) => `{${sender},"text":"t","subject":"${filled("😀", bytes)}"}`],
  [
    "addresses",
    largeEmails,
    (bytes) => `{"from":"${filled("a.", bytes / 2)}","to":["${filled("a@", bytes / 2)}"]}`,
  ],
  ["recipients", largeEmails, () => `{${good},"cc":[${'"a",'.repeat(most)}1]}`],
  ["variables", largeEmails, (bytes) => `{${template},"variables":{"name":"${filled("&", bytes)}","order":1}}`],
  [
    "base64",
    largeEmails,
    (bytes) => `{${good},"attachments":[{"filename":"a","content":"${filled("A", bytes)}?"}]}`,
  ],
  [
    "base64 with many line breaks",
    largeEmails,
    (bytes) => `{${good},"attachments":[{"filename":"a","content":"${filled("A\\n", bytes)}"}]}`,
  ],
  // These two are accepted: the largest message, in an attachment and in its content.
  [
    "an attachment",
    largeEmails,
    (bytes) => `{${good},"attachments":[{"filename":"a","content":"${filled("AAAA", bytes * 0.93)}"}]}`,
  ],
  ["content", largeEmails, (bytes) => `{${good},"html":"${filled("x", bytes * 0.69)}"}`],
  [
    "a link",
    largeEmails,
    (bytes) => `{${good},"attachments":[{"filename":"a","path":"https://${filled("a.", bytes)}"}]}`,
  ],
  ["long names", largeEmails, (bytes) => tagged(Math.min(bytes / 16_400, 999), 8_180)],
  [
    "batches",
    `${largeEmails}/batch`,
    (bytes) =>
      `{"emails":[${Array(100)
        .fill(tagged(bytes / 201_000, 1_000))
        .join()}]}`,
  ],
  ["a name", contacts, (bytes) => `{"email":"a@b.example","list_id":1,"first_name":"${filled("x", bytes)}"}`],
  [
    "a field",
    contacts,
    (bytes) => `{"email":"a@b.example","list_id":1,"fields":{"orders":"${filled("x", bytes)}"}}`,
  ],
  ["an email address", contacts, (bytes) => `{"email":"${filled("a@b.", bytes)}","list_id":1}`],
];

/** A message whose tags and headers are named with characters that a JSON Pointer escapes. */
function tagged(count: number, length: number): string {
  const all = names(count, (index) => "/".repeat(length) + index);
  return `{${good},"tags":{${all}},"headers":{${all}}}`;
}

/** All shapes in turn, so that few are in memory. */
export function* largeRequests(bytes: number): Generator<LargeRequest> {
  for (const [name, path, body] of shapes) yield { name, path, body: Buffer.from(body(bytes - 1_000)) };
}
