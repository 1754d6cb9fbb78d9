import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { exceededBound, jsonBounds } from "../../../sandbox/api/body.ts";
import { mail, startRig } from "../rig.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const { depth, values, name } = jsonBounds;

/** At each bound, and beyond it. */
const edges: [bound: string, within: string, beyond: string][] = [
  [
    "lists in lists",
    `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`,
    `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`,
  ],
  [
    "objects in objects",
    `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
    `${'{"a":'.repeat(depth + 1)}1${"}".repeat(depth + 1)}`,
  ],
  // The object and the list are values too.
  ["values", `{"a":[${"1,".repeat(values - 2)}1]}`, `{"a":[${"1,".repeat(values - 1)}1]}`],
  ["empty lists", `{"a":[${"[],".repeat(values / 2 - 2)}[]]}`, `{"a":[${"[],".repeat(values / 2)}[]]}`],
  ["properties", `{${'"":1,'.repeat(values - 1)}"":1}`, `{${'"":1,'.repeat(values)}"":1}`],
  ["a property name", `{"${"x".repeat(name)}":1}`, `{"${"x".repeat(name + 1)}":1}`],
  ["an escaped name", `{"${"\\u0058".repeat(1365)}" : 1}`, `{"${"\\u0058".repeat(1366)}" : 1}`],
];

describe.each(edges)("%s", (_bound, within, beyond) => {
  test("up to the bound are parsed, beyond it the body is rejected", async () => {
    expect(JSON.parse(within)).toBeTypeOf("object");
    expect([exceededBound(bytes(within)), exceededBound(bytes(beyond))]).toEqual([
      undefined,
      expect.stringMatching(/^Must not .*\d+ \w+\.$/),
    ]);
    const { call } = await startRig();
    const contact = (raw: string) => call("POST", "/api/v1/newsletter/contacts", { raw });
    expect((await contact(within)).fields).not.toContain("body");
    expect(await contact(beyond)).toMatchObject({ status: 422, fields: ["body"] });
  });
});

test("what stands in texts does not count, however it is escaped", () => {
  const text = fc.stringMatching(/^(?:[[\]{},:"\\/]|\\\\|\\")*$/);
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const body = JSON.stringify({ texts: [...texts, "[".repeat(depth + 1)] });
      expect(exceededBound(bytes(body))).toBeUndefined();
      expect(exceededBound(bytes(`{"a":${body},"b":${"[".repeat(depth)}`))).toMatch(/nested/);
    }),
  );
});

test("bytes that are not JSON are counted in one pass, whatever they are", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (any) => void exceededBound(any)));
  for (const text of ["", '"', '"\\', "]]]]{", '{"a', ":::", '\\"[[['])
    expect(exceededBound(bytes(text))).toBeUndefined();
});

test("the largest batch, with everything in all of its messages, is within the bounds", async () => {
  const { post } = await startRig();
  const many = <Value>(count: number, value: (index: number) => Value): Value[] =>
    Array.from({ length: count }, (_, index) => value(index));
  const object = (count: number, key: (index: number) => string, value: string) =>
    Object.fromEntries(many(count, (index) => [key(index), value]));
  const addresses = (field: string) =>
    many(limits.recipientsPerField, (index) => `${field}-${index}@customers.example`);
  const { messageTags, messageTagValueLength, extraHeaders } = limits;
  const message = mail({
    ...{ to: addresses("to"), cc: addresses("cc"), bcc: addresses("bcc"), reply_to: "shop@bakery.example" },
    tags: object(messageTags, (index) => `tag-${index}`, "v".repeat(messageTagValueLength)),
    headers: object(extraHeaders, (index) => `X-${index}-${"h".repeat(900)}`, "v"),
  });
  const fromTemplate = {
    ...message,
    ...{ subject: undefined, text: undefined, template_id: "order-ready" },
    variables: object(1000, (index) => `variable-${index}`, "v"),
  };
  const emails = many(limits.batchMessages, () => fromTemplate);
  expect((await post("/api/v1/emails/batch", { emails })).status).toBe(202);
});
