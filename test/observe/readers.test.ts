import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readHar } from "../../scripts/observe/read-har.ts";
import { readNdjson } from "../../scripts/observe/read-traffic.ts";
import { entry, har, line, right, wrong } from "./records.ts";

describe("readers", () => {
  it("read an HTTP archive in pieces of any size", async () => {
    const text = har(entry(right), entry(wrong));
    for (const size of [1, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      const found = await Array.fromAsync(readHar(Readable.from(pieces), "a.har"));
      expect(found.map(({ requestBody, responseBody }) => [requestBody, responseBody])).toEqual(
        [right, wrong].map(({ requestBody, responseBody }) => [requestBody, responseBody]),
      );
    }
  });

  it("read bodies as text and as JSON", async () => {
    const text = JSON.stringify({
      method: "POST",
      url: "/",
      status: 202,
      requestBody: { to: [] },
      responseBody: "{}",
    });
    const [found] = await Array.fromAsync(readNdjson(Readable.from([text]), "a"));
    expect(found).toMatchObject({ requestBody: '{"to":[]}', responseBody: "{}", startedAt: undefined });
  });

  it("read lines in pieces of any size, with characters that end lines elsewhere", async () => {
    const text = `${line({ ...right, responseBody: "a\u2028b\rc" })}\r\n${line(wrong)}\n`;
    for (const size of [1, 7, 10_000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      const found = await Array.fromAsync(readNdjson(Readable.from(pieces), "a"));
      expect(found.map(({ responseBody }) => responseBody)).toEqual(["a\u2028b\rc", wrong.responseBody]);
    }
  });

  it("read a header with the name of an inherited property as it is", async () => {
    const withHeader = { ...right, requestHeaders: { constructor: "1" } };
    const [found] = await Array.fromAsync(readHar(Readable.from([har(entry(withHeader))]), "a"));
    expect(found?.requestHeaders).toEqual({ constructor: "1" });
  });

  it.each([
    ["a line", () => readNdjson(endless(""), "a")],
    ["an entry", () => readHar(endless('{"log":{"entries":[{"a":"'), "a")],
  ])("end with an error at %s without end", async (_, read) => {
    await expect(Array.fromAsync(read())).rejects.toMatchObject({
      message: "a has an exchange of more than 64 Mi characters",
      exitCode: 2,
    });
  });
});

async function* endless(start: string): AsyncGenerator<string> {
  yield start;
  const piece = "x".repeat(1024 * 1024);
  for (;;) yield piece;
}
