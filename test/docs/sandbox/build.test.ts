import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { writeTry } from "../../../scripts/docs/sandbox/try.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

const folder = mkdtempSync(join(tmpdir(), "try-"));
await writeTry(await readBundle(), folder);
afterAll(() => rmSync(folder, { recursive: true }));

/** In bytes, compressed. */
const sizeOf = (name: string): number => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;

test("the sandbox in a page and its panel take at most 300 KB, compressed", () => {
  const sizes = readdirSync(folder).map(sizeOf);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(300_000);
});

test("a page loads at most 2 KB of it before the click", () => {
  expect(sizeOf("button.js")).toBeLessThanOrEqual(2_000);
});
