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
const shapes: [name: string, body: (bytes: number) => string, path?: string][] = [
  ["lists", (bytes) => `{${good},"x":[${filled("[],", bytes)}[]]}`],
  ["objects", (bytes) => `{${good},"x":[${filled("{},", bytes)}{}]}`],
  ["levels", (bytes) => `{${good},"x":${filled("[", bytes / 2)}${filled("]", bytes / 2)}}`],
  ["properties", (bytes) => `{${good},${names(bytes / 14, (index) => `k${index}`)}}`],
  ["as many values as may be", () => `{${good},"x":[${"[],".repeat(most / 2)}[]]}`],
  ["as many properties", () => `{${good},${names(most, (index) => `${"k".repeat(100)}${index}`)}}`],
  ["texts", (bytes) => `{${good},"x":[${filled(`"${"x".repeat(200)}",`, bytes)}1]}`],
  ["one text", (bytes) => `{${good},"x":"${filled("x", bytes)}→"}`],
  ["quotation marks", (bytes) => `{${good},"x":"${filled('\\"', bytes)}"}`],
  ["backslashes", (bytes) => `{${good},"x":"${filled("\\\\", bytes)}"}`],
  ["a number", (bytes) => `{${good},"x":${filled("1", bytes)}}`],
  ["spaces", (bytes) => `{${good}${filled(" ", bytes)}}`],
  ["no JSON", (bytes) => filled("\u0000", bytes)],
  ["a body", (bytes) => `{${sender},"subject":"s","html":"${filled("x", bytes)}→"}`],
  ["a subject", (bytes) => `{${sender},"text":"t","subject":"${filled("😀", bytes)}"}`],
  ["addresses", (bytes) => `{"from":"${filled("a.", bytes / 2)}","to":["${filled("a@", bytes / 2)}"]}`],
  ["recipients", () => `{${good},"cc":[${'"a",'.repeat(most)}1]}`],
  ["variables", (bytes) => `{${template},"variables":{"name":"${filled("&", bytes)}","order":1}}`],
  ["base64", (bytes) => `{${good},"attachments":[{"filename":"a","content":"${filled("A", bytes)}?"}]}`],
  [
    "base64 with many line breaks",
    (bytes) => `{${good},"attachments":[{"filename":"a","content":"${filled("A\\n", bytes)}"}]}`,
  ],
  // These two are accepted: the largest message, in an attachment and in its content.
  [
    "an attachment",
    (bytes) => `{${good},"attachments":[{"filename":"a","content":"${filled("AAAA", bytes * 0.93)}"}]}`,
  ],
  ["content", (bytes) => `{${good},"html":"${filled("x", bytes * 0.69)}"}`],
  ["a link", (bytes) => `{${good},"attachments":[{"filename":"a","path":"https://${filled("a.", bytes)}"}]}`],
  ["long names", (bytes) => tagged(Math.min(bytes / 16_400, 999), 8_180)],
  [
    "batches",
    (bytes) =>
      `{"emails":[${Array(100)
        .fill(tagged(bytes / 201_000, 1_000))
        .join()}]}`,
    `${largeEmails}/batch`,
  ],
  ["a name", (bytes) => `{"email":"a@b.example","list_id":1,"first_name":"${filled("x", bytes)}"}`, contacts],
  [
    "a field",
    (bytes) => `{"email":"a@b.example","list_id":1,"fields":{"orders":"${filled("x", bytes)}"}}`,
    contacts,
  ],
  ["an email address", (bytes) => `{"email":"${filled("a@b.", bytes)}","list_id":1}`, contacts],
];

/** A message whose tags and headers are named with characters that a JSON Pointer escapes. */
function tagged(count: number, length: number): string {
  const all = names(count, (index) => "/".repeat(length) + index);
  return `{${good},"tags":{${all}},"headers":{${all}}}`;
}

/** All shapes in turn, so that few are in memory. */
export function* largeRequests(bytes: number): Generator<LargeRequest> {
  for (const [name, body, path = largeEmails] of shapes)
    yield { name, path, body: Buffer.from(body(bytes - 1_000)) };
}
