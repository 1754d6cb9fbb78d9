import * as node from "node:crypto";
import { isIP as isIpOfNode } from "node:net";
import { expect, test } from "vitest";
import { Buffer as WebBuffer } from "../../../scripts/docs/sandbox/web/globals.ts";
import {
  createHash,
  hash,
  isIP,
  isUtf8,
  randomUUID,
  setTimeout,
} from "../../../scripts/docs/sandbox/web/node.ts";

const texts = ["", "abc", "Grüße 🍞", "lone \ud800 surrogate", "long ".repeat(10_000)];

test("hashes are those of Node", () => {
  for (const text of texts) {
    expect(hash("sha256", text)).toBe(node.hash("sha256", text));
    expect(hash("sha256", text, "base64")).toBe(node.hash("sha256", text, "base64"));
    const both = [createHash("sha256"), node.createHash("sha256")] as const;
    const [own, expected] = both.map((one) => one.update("a").update(text, "utf16le").digest("base64url"));
    expect(own).toBe(expected);
  }
});

test("a random UUID has version 4", () => {
  expect(randomUUID()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("sizes, text and base64 are those of Node", () => {
  for (const text of texts) {
    expect(WebBuffer.byteLength(text)).toBe(Buffer.byteLength(text));
    const bytes = Uint8Array.from(Buffer.from(`\ufeff${text}`));
    const read = WebBuffer.from(bytes.buffer, 0, bytes.length);
    expect(read.toString()).toBe(Buffer.from(bytes).toString());
    expect(read.toString("base64")).toBe(Buffer.from(bytes).toString("base64"));
    expect(WebBuffer.from(read.toString("base64"), "base64")).toEqual(read);
  }
});

test("invalid UTF-8 is recognized", () => {
  expect([isUtf8(Buffer.from("é")), isUtf8(Uint8Array.of(0xc3))]).toEqual([true, false]);
});

test("IP addresses are those of Node", () => {
  const given = ["127.0.0.1", "127.1", "0x7f.0.0.1", "256.0.0.1", "::1", "::ffff:1.2.3.4", "1::2::3", "a.b"];
  expect(given.map(isIP)).toEqual(given.map(isIpOfNode));
});

test("a wait ends with its signal", async () => {
  const stop = new AbortController();
  const waiting = setTimeout(60_000, undefined, { signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  expect(await setTimeout(1, "value")).toBe("value");
});
