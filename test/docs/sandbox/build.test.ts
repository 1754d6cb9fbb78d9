import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildWorker } from "../../../scripts/docs/sandbox/build.ts";

const worker = await buildWorker();

test("the sandbox in a page takes at most 300 KB, compressed", () => {
  expect(gzipSync(worker, { level: 9 }).length).toBeLessThanOrEqual(300_000);
});
