import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, expect, it, vi } from "vitest";
import type { ContractResult } from "../../../contract/report/result.ts";
import { runClientCommand } from "../../../scripts/client-suite/run-command.ts";
import { root } from "../../../scripts/common/paths.ts";

const folder = await mkdtemp(join(tmpdir(), "own-client-"));
afterAll(() => rm(folder, { recursive: true }));

it("the project's own client passes the whole suite, with its driver", { timeout: 120_000 }, async () => {
  const file = join(folder, "driver.mjs");
  await build({
    entryPoints: [join(root, "clients/typescript-email-api-client/driver.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "email-api-client": join(root, "client/src/index.ts") },
    outfile: file,
  });
  const log = vi.spyOn(console, "log").mockReturnValue();
  const json = join(folder, "result.json");
  const driver = `"${process.execPath}" "${file}"`;
  const exitCode = await runClientCommand({ driver, profile: "full", json }).finally(() => log.mockRestore());
  const result = JSON.parse(await readFile(json, "utf8")) as ContractResult;
  expect(result.requirements.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(result.information).toEqual([]);
  expect(exitCode).toBe(0);
});
