import { execFileSync, spawn } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { appendFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { Keys } from "../../contract/observe/keys.ts";
import { recordTo } from "../../scripts/observe/observe-upstream.ts";
import { readHar } from "../../scripts/observe/read-har.ts";
import { readNdjson } from "../../scripts/observe/read-traffic.ts";
import type { TrafficExchange } from "../../scripts/observe/traffic.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { entry, exchange, har, line, right, wrong } from "./samples.ts";

const { path, ...sent } = exchange("GET", "/api/v1/me");
const requestHeaders = { authorization: "Bearer secret", cookie: "secret", accept: "*/*" };
const one = { ...sent, requestHeaders, url: `https://api.example.com${path}` };

/** The exchanges of lines, all of which are valid. */
const linesOf = async (lines: AsyncIterable<string>): Promise<TrafficExchange[]> =>
  (await Array.fromAsync(readNdjson(lines, "a"))).filter((one) => typeof one === "object");

test("a record has everything once it is closed, with one name for each key", async () => {
  const file = join(temporaryFolder(), "traffic.ndjson");
  const recording = await recordTo(file);
  for (let index = 0; index < 1000; index += 1) recording.write(one);
  recording.write({ ...one, requestHeaders: { authorization: "Bearer other" } });
  await recording.close();
  const text = await readFile(file, "utf8");
  expect(text).not.toMatch(/secret|other/);
  const lines = text.trim().split("\n");
  expect(lines).toHaveLength(1001);
  expect(new Set(lines.map((line) => JSON.parse(line).requestHeaders.authorization)).size).toBe(2);
});

test.skipIf(process.platform === "win32")(
  "only its owner can read a record, also in place of a file that all could",
  async () => {
    const file = join(temporaryFolder(), "traffic.ndjson");
    await writeFile(file, "before", { mode: 0o644 });
    await (await recordTo(file)).close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);

test("a record that cannot be redacted at its end leaves no copy, and is named", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "traffic.ndjson");
  const recording = await recordTo(file);
  recording.write(one);
  recording.write({ ...one, requestHeaders: { "x-api-key": "a-later-credential" } });
  await vi.waitFor(async () => expect((await readFile(file, "utf8")).split("\n")).toHaveLength(3));
  await appendFile(file, "not JSON\n");
  await expect(recording.close()).rejects.toThrow("has credentials that cannot be removed");
  expect(await readdir(folder)).toEqual(["traffic.ndjson"]);
});

test("a record has no key, and no other secret, in its URLs, headers and bodies", async () => {
  const file = join(temporaryFolder(), "traffic.ndjson");
  const recording = await recordTo(file);
  const key = "qzxv_api/key+0123456789";
  const password = Buffer.from("ada:qzxv_password").toString("base64");
  recording.write({
    ...one,
    url: `https://api.example.com/api/v1/me?a=${encodeURIComponent(key)}`,
    requestHeaders: { authorization: `Bearer ${key}`, "x-api-key": "qzxv_other_key", accept: "*/*" },
    requestBody: JSON.stringify({ key, other: "qzxv_other_key" }),
    responseHeaders: { "set-cookie": "qzxv=1", "x-echo": key, date: "now" },
    responseBody: `No account has ${key}.`,
  });
  recording.write({
    ...one,
    url: "https://api.example.com/api/v1/me?api_key=qzxv_in_query",
    requestHeaders: { authorization: `Basic ${password}` },
    responseBody: `${password} is qzxv_password, not qzxv_in_query.`,
  });
  await recording.close();
  const text = await readFile(file, "utf8");
  expect(text).not.toMatch(/qzxv|cXp4d/i);
  const [first, second] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({
    requestHeaders: { accept: "*/*", authorization: expect.stringMatching(/^Bearer key-/) },
    responseHeaders: { date: "now" },
    responseBody: "No account has ***.",
  });
  expect(second.responseBody).toBe("*** is ***, not ***.");
});

test("a record names the keys of the configuration after their roles, and observing it maps them back", async () => {
  const file = join(temporaryFolder(), "traffic.ndjson");
  const recording = await recordTo(file, { full: "secret_of_full", noPlan: "secret_of_another" });
  for (const key of ["secret_of_full", "secret_of_another", "secret_of_nobody"])
    recording.write({ ...one, requestHeaders: { authorization: `Bearer ${key}` } });
  recording.write({ ...one, requestHeaders: {}, responseBody: "Use secret_of_full." });
  await recording.close();
  const found = (await linesOf(createReadStream(file, "utf8"))).map(
    ({ requestHeaders }) => requestHeaders.authorization,
  );
  expect(found.map((header) => new Keys().of(header)?.account)).toEqual([
    "full",
    "noPlan",
    "key 1",
    undefined,
  ]);
  expect(await readFile(file, "utf8")).not.toContain("secret_of");
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk ends the record with an error (needs /dev/full)",
  async () => {
    const recording = await recordTo("/dev/full");
    recording.write(one);
    const error = { message: "/dev/full cannot be written", exitCode: 2 };
    await expect(recording.failed).rejects.toMatchObject(error);
    await expect(recording.close()).rejects.toMatchObject(error);
  },
);

test("a file that takes less than the traffic brings ends the record, before the memory is full", async () => {
  const file = join(temporaryFolder(), "traffic.ndjson");
  execFileSync("sh", ["-c", 'mkfifo "$0"', file]);
  const reader = spawn("sh", ["-c", 'exec 3< "$0"; sleep 60', file], { stdio: "ignore" });
  onTestFinished(() => void reader.kill());
  const recording = await recordTo(file);
  const large = { ...one, responseBody: "a".repeat(1024 * 1024) };
  for (let megabytes = 0; megabytes < 70; megabytes += 1) recording.write(large);
  await expect(recording.failed).rejects.toMatchObject({
    message: `${file} cannot be written`,
    hint: expect.stringContaining("less than the traffic"),
  });
});

it("a record that is redacted again keeps lines with characters that end lines elsewhere", async () => {
  const file = join(temporaryFolder(), "traffic.ndjson");
  const recording = await recordTo(file);
  recording.write({ ...one, responseBody: "a\u2028b\u2029c secret_of_another" });
  recording.write({ ...one, requestHeaders: { "x-api-key": "secret_of_another" } });
  await recording.close();
  const found = await linesOf(createReadStream(file, "utf8"));
  expect(found.map((line) => line.responseBody)).toEqual(["a\u2028b\u2029c ***", one.responseBody]);
});

describe("readers", () => {
  it("read the bodies of an HTTP archive, also after a byte order mark", () => {
    const found = [...readHar(`\uFEFF${har(entry(right), entry(wrong))}`, "a.har")];
    expect(found).toMatchObject(
      [right, wrong].map(({ requestBody, responseBody }) => ({ requestBody, responseBody })),
    );
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
      const found = await linesOf(Readable.from(pieces));
      expect(found.map(({ responseBody }) => responseBody)).toEqual(["a\u2028b\rc", wrong.responseBody]);
    }
  });

  it("read a header with the name of an inherited property as it is", () => {
    const withHeader = { ...right, requestHeaders: { constructor: "1" } };
    const found = [...readHar(har(entry(withHeader)), "a")];
    expect(found).toMatchObject([{ requestHeaders: { constructor: "1" } }]);
    expect(Object.keys(Object(found[0]).requestHeaders)).toEqual(["constructor"]);
  });

  it("end with an error at a line without end", async () => {
    await expect(Array.fromAsync(readNdjson(endless(), "a"))).rejects.toMatchObject({
      message: "a has a line of more than 64 Mi characters",
      exitCode: 2,
    });
  });
});

async function* endless(): AsyncGenerator<string> {
  const piece = "x".repeat(1024 * 1024);
  for (;;) yield piece;
}
