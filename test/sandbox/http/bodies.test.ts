import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits, mostVariables } from "../../../generated/limits.ts";
import { exceededBound, jsonBounds } from "../../../sandbox/api/body.ts";
import { mail, startRig } from "../rig.ts";
import { checkRaw, exchange, expectUnreadable, head } from "./raw.ts";

describe("bodies", () => {
  const post = (body: string, more: string) =>
    head("POST /api/v1/emails", `Content-Type: application/json\r\n${more}`) + body;

  test("one in chunks is put together", async () => {
    const { sandbox } = await startRig();
    const [one, two] = [JSON.stringify(mail()).slice(0, 20), JSON.stringify(mail()).slice(20)];
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const bytes = post(`${chunk(one)}${chunk(two)}0\r\n\r\n`, "Transfer-Encoding: chunked\r\n");
    expect(checkRaw("POST", "/api/v1/emails", await exchange(sandbox.url, bytes))?.status).toBe(202);
  });

  test("one that does not come in time is given up", async () => {
    const { sandbox } = await startRig({ requestTimeout: 100 });
    expectUnreadable(await exchange(sandbox.url, post("{", "Content-Length: 100\r\n")));
  });

  test("headers that do not come in time are given up", async () => {
    const { sandbox } = await startRig({ requestTimeout: 100 });
    expectUnreadable(await exchange(sandbox.url, "GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nX-A"));
  });

  test.each([
    ["", "Content-Length: 100\r\n"],
    ["with an upgrade ", "Content-Length: 100\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"],
    ["in chunks with an upgrade ", "Transfer-Encoding: chunked\r\nUpgrade: websocket\r\n"],
  ])("one %sthat breaks off closes the connection at once and has no effect", async (_name, more) => {
    const { sandbox, get } = await startRig();
    const read = await exchange(sandbox.url, post('{"from":', more), false);
    if (read !== "") expectUnreadable(read);
    expect((await get("/api/v1/me")).status).toBe(200);
    expect(await sandbox.outbox.messages()).toEqual([]);
  });

  test.each([
    ["no body", "", "Content-Length: 0\r\n"],
    ["text", '"a"', "Content-Length: 3\r\n"],
    ["a list", "[]", "Content-Length: 2\r\n"],
    ["broken UTF-8", "{\xff}", "Content-Length: 3\r\n"],
    ["half of JSON", "{", "Content-Length: 1\r\n"],
    ["a byte order mark", "\xef\xbb\xbf{}", "Content-Length: 5\r\n"],
  ])("%s is rejected as the field body", async (_name, body, more) => {
    const { sandbox } = await startRig();
    const read = await exchange(sandbox.url, Buffer.from(post(body, more), "latin1"));
    const response = checkRaw("POST", "/api/v1/emails", read);
    expect(Object.keys(JSON.parse(response?.text ?? "").error.fields)).toEqual(["body"]);
  });

  test.each([
    ["text/plain", 422],
    ["application/x-www-form-urlencoded", 422],
    ["application/jsonp", 422],
    ["multipart/form-data", 422],
    ["", 422],
    ["Application/JSON", 202],
    ["application/json; charset=utf-8", 202],
    ["application/json ;x=y", 202],
  ])("one with the content type %j gets %i", async (type, status) => {
    const { call } = await startRig();
    const options = { body: mail(), headers: { "content-type": type } };
    const response = await call("POST", "/api/v1/emails", options);
    expect([response.status, response.fields]).toEqual([status, status === 422 ? ["body"] : []]);
  });

  test.each(["to", "tags", "headers", "attachments", "emails", "variables", "unknown"])(
    "very many entries in %s are rejected or ignored, without as many errors",
    async (name) => {
      const { call } = await startRig();
      const list = `[${"1,".repeat(1e5)}1]`;
      const named = `{${Array.from({ length: 5e4 }, (_, index) => `"n ${index}":1`).join()}}`;
      for (const value of [list, named]) {
        const raw = `{"template_id":"order-ready","from":"a@bakery.example","to":["b@x.example"],"${name}":${value}}`;
        const path = name === "emails" ? "/api/v1/emails/batch" : "/api/v1/emails";
        const response = await call("POST", path, { raw });
        expect(response.status).toBe(name === "unknown" ? 202 : 422);
        expect(response.text.length).toBeLessThan(2000);
      }
    },
  );
});

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
    variables: object(mostVariables, (index) => `variable-${index}`, "v"),
  };
  const emails = many(limits.batchMessages, () => fromTemplate);
  expect((await post("/api/v1/emails/batch", { emails })).status).toBe(202);
});
