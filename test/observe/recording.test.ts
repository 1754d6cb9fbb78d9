import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordTo } from "../../scripts/observe/recording.ts";
import { temporaryFolder } from "../sandbox/store/sample.ts";
import { exchange } from "./samples.ts";

const { path, ...sent } = exchange("GET", "/api/v1/me");
const requestHeaders = { authorization: "Bearer secret", cookie: "secret", accept: "*/*" };
const one = { ...sent, requestHeaders, url: `https://api.example.com${path}` };

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
