import * as node from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { isIP as isIpOfNode } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { readScenario, writeScenario } from "../../docs/site/src/try/scenario.ts";
import type { Scenario, Step, TryData } from "../../docs/site/src/try/types.ts";
import { publishedDocument } from "../../scripts/docs/config/document.ts";
import { type SiteConfig, siteConfig } from "../../scripts/docs/config/site-config.ts";
import { samplesOf } from "../../scripts/docs/samples/samples.ts";
import { Buffer as WebBuffer } from "../../scripts/docs/sandbox/web/globals.ts";
import { hash, isIP, setTimeout } from "../../scripts/docs/sandbox/web/node.ts";
import { tryData, writeTry } from "../../scripts/docs/stage.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { baseUrlOf } from "../../scripts/document/requests.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = temporaryFolder(afterAll);
await writeTry(await readBundle(), folder);

/** In bytes, compressed. */
const sizeOf = (name: string): number => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;

test("the sandbox in a page and its panel take at most 300 KB, compressed", () => {
  const sizes = readdirSync(folder).map(sizeOf);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(300_000);
});

test("a page loads at most 2 KB of it before the click", () => {
  expect(sizeOf("button.js")).toBeLessThanOrEqual(2_000);
});

const placeholder = baseUrlOf(await readBundle());
const dataOf = async (config: Partial<SiteConfig> = {}): Promise<TryData> =>
  JSON.parse(tryData(await publishedDocument(siteConfig(config)), placeholder));

test("the base URLs are those of the publisher's service", async () => {
  const baseUrl = "https://mail.bakery.example";
  expect(await dataOf({ baseUrl })).toMatchObject({ baseUrl, ownUrl: baseUrl });
});

test("without a service, the base URL is that of the samples, and that of the reader's server is on this machine", async () => {
  expect(await dataOf()).toMatchObject({ baseUrl: placeholder, ownUrl: "http://127.0.0.1:4020" });
});

test("the idempotency keys are those of the samples", async () => {
  const { operations } = await dataOf();
  const keys = operations.map(({ id, idempotencyKey }) => [id, idempotencyKey]);
  const samples = samplesOf(await readBundle());
  for (const [id, key] of keys)
    expect(/Idempotency-Key: ([^']+)/.exec(samples.get(id ?? "")?.[0]?.block ?? "")?.[1] ?? null).toBe(key);
  expect(Object.fromEntries(keys)).toMatchObject({ sendEmail: "order-1042-receipt", getEmail: null });
});

test("the panel knows the messages that the demo accounts start with", async () => {
  expect(await dataOf()).toMatchObject({ seeded: ["sched_01JD7Q9V5N3K8R"] });
});

test("the panel and its sandbox have the simulated recipients of the service", async () => {
  const { simulatorDomain, recipients } = await dataOf({ simulatorDomain: "sim.example.com" });
  expect(simulatorDomain).toBe("sim.example.com");
  expect(recipients).toContainEqual({ email: "bounce@sim.example.com", isUnspecified: false });
  expect(recipients).toContainEqual({ email: "suppressionlist@sim.example.com", isUnspecified: true });
});

const data = await dataOf();
const start = Date.parse(data.start);

const sent: Step = {
  ...{ do: "send", at: 1_000, operation: "getEmail", key: "bakery.all", idempotencyKey: "" },
  ...{ parameters: { id: "msg_1" }, body: null },
};
const steps: Step[] = [
  sent,
  { do: "advance", at: 2_000, by: "P1D" },
  { do: "clear failures", at: 80_000_000 },
  { do: "fail", at: 90_000_000, failure: "429", requests: 2 },
  { do: "confirm", at: 90_000_000, email: "ada@readers.example", list: 1 },
];

const through = async (scenario: unknown): Promise<Scenario | undefined> =>
  readScenario(await writeScenario(scenario as Scenario), data);

test("a scenario goes through a link unchanged", async () => {
  expect(await through({ start, steps })).toEqual({ start, steps });
});

const invalid: [name: string, scenario: unknown][] = [
  ["no object", 5],
  ["no steps", { start }],
  ["a start beyond 2100", { start: 1e15, steps }],
  ["a step without a time", { start, steps: [{ do: "advance", by: "P1D" }] }],
  ["steps out of order", { start, steps: steps.toReversed() }],
  ["an unknown step", { start, steps: [{ do: "fetch", at: 1 }] }],
  ["an unknown operation", { start, steps: [{ ...sent, operation: "deleteAll" }] }],
  ["an unknown key", { start, steps: [{ ...sent, key: "sandbox.own" }] }],
  ["an unknown parameter", { start, steps: [{ ...sent, parameters: { __proto__: null, path: "/" } }] }],
  ["a long value", { start, steps: [{ ...sent, idempotencyKey: "a".repeat(3_000) }] }],
  ["another duration", { start, steps: [{ do: "advance", at: 1, by: "P1000Y" }] }],
  ["too many failing requests", { start, steps: [{ do: "fail", at: 1, failure: "503", requests: 1e6 }] }],
  ["too many steps", { start, steps: Array.from({ length: 51 }, () => sent) }],
  ["too large a text", { start, steps: [{ ...sent, body: "a".repeat(300_000) }] }],
];

test.for(invalid)("a link with %s is not a scenario", async ([, scenario]) => {
  expect(await through(scenario)).toBeUndefined();
});

test("a text that is not a code is not a scenario", async () => {
  for (const code of ["", "!", "AAAA", "a".repeat(30_000)])
    expect(await readScenario(code, data)).toBeUndefined();
});

const texts = ["", "abc", "Grüße 🍞", "lone \ud800 surrogate", "long ".repeat(10_000)];

test("hashes are those of Node", () => {
  for (const text of texts) {
    expect(hash("sha256", text)).toBe(node.hash("sha256", text));
    expect(hash("sha256", text, "base64url")).toBe(node.hash("sha256", text, "base64url"));
  }
});

test("sizes are those of Node", () => {
  for (const text of texts) expect(WebBuffer.byteLength(text)).toBe(Buffer.byteLength(text));
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
