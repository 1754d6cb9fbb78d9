import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valueError } from "../../../sandbox/domain/contacts.ts";
import type { CustomField } from "../../../sandbox/domain/records.ts";
import { decodedSize, fillTemplate, messageSize, splitRecipients } from "../../../sandbox/domain/sending.ts";

const template = (text: string) => ({
  id: "t",
  published: true,
  subject: text,
  html: text,
  text,
});

describe("a template", () => {
  test.each([
    ["{{name}}", { name: "Ada" }, "Ada"],
    ["{{ name }}!", { name: 7 }, "7!"],
    ["{{name}}{{name}}", { name: true }, "truetrue"],
    ["{{missing}}", {}, ""],
    ["{{name}}", { name: null }, ""],
    ["{{name}}", { name: ["a", 1] }, '["a",1]'],
    ["{{toString}}{{__proto__}}{{constructor}}", {}, ""],
    ["{{a}}", { a: "{{b}}", b: "x" }, "{{b}}"],
    ["{{}} {{a b}} { {a} }", { a: "x" }, "{{}} {{a b}} { {a} }"],
    ["$& $1 {{a}}", { a: "$&" }, "$& $1 $&"],
  ])("%j with %j says %j", (text, variables, said) => {
    expect(fillTemplate(template(text), variables).text).toBe(said);
  });

  test("keeps the subject on one line, and HTML from breaking out", () => {
    const filled = fillTemplate(template("{{a}}"), { a: '<a href="x">\'&\r\nBcc: y' });
    expect(filled.subject).toBe('<a href="x">\'& Bcc: y');
    expect(filled.html).toBe("&lt;a href=&quot;x&quot;&gt;&#39;&amp;\r\nBcc: y");
  });
});

describe("the size of a message", () => {
  test("counts attachments decoded", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const base64 = Buffer.from(bytes).toString("base64");
        expect(decodedSize(base64)).toBe(bytes.length);
        expect(decodedSize(base64.replaceAll(/.{4}/g, "$&\r\n"))).toBe(bytes.length);
      }),
    );
  });

  test("counts bytes, not letters, and no file that is behind a link", () => {
    const attachments = [
      { filename: "a", content: "aGk=" },
      { filename: "b", path: "https://a.example.com" },
    ];
    const message = { subject: "é", html: "€", text: null, attachments };
    expect(messageSize(message)).toBe(2 + 3 + 2);
    expect(messageSize({ ...message, text: 7 })).toBe(2 + 3 + 2);
    expect(messageSize({ attachments: [null, 1, {}] })).toBe(0);
  });
});

test("a suppressed recipient is removed from every field and listed once", () => {
  const recipients = { to: ["A@x.example", "b@x.example"], cc: ["a@X.example"], bcc: ["A@x.example"] };
  expect(splitRecipients(recipients, new Set(["a@x.example"]))).toEqual({
    to: ["b@x.example"],
    cc: [],
    bcc: [],
    suppressed: ["A@x.example", "a@X.example"],
  });
});

const field = (type: CustomField["type"]): CustomField => ({
  key: "k",
  label: "K",
  type,
  fallback: null,
});

describe("the value of a custom field", () => {
  test.each([
    ["text", "", true],
    ["text", 1, false],
    ["number", 0, true],
    ["number", "-1.5", true],
    ["number", " ", false],
    ["number", "Infinity", false],
    ["date", "2024-02-29", true],
    ["date", "2023-02-29", false],
    ["date", "2024-2-29", false],
    ["date", "2024-02-29T00:00:00Z", false],
    ["date", 20240229, false],
    ["url", "https://a.example/?b#c", true],
    ["url", "HTTP://a.example", true],
    ["url", "//a.example", false],
    ["url", "ftp://a.example", false],
    ["url", "https://a b.example", false],
    ["url", "https://", false],
  ] as const)("of type %s: %j fits: %s", (type, value, fits) => {
    expect(valueError(field(type), value) === undefined).toBe(fits);
  });

  test("may be cleared, but not in a field that is not there", () => {
    expect(valueError(field("date"), null)).toBeUndefined();
    expect(valueError(undefined, null)).toMatch(/no custom field/);
  });
});
