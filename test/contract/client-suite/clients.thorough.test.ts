import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, it, vi } from "vitest";
import { processDriver } from "../../../contract/client-suite/driver/process.ts";
import { clientCases, runClient } from "../../../contract/client-suite/run-client.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { runClientInit, type TemplateLanguage, templates } from "../../../scripts/client-suite/command.ts";
import { runClientCommand, startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import { root } from "../../../scripts/common/paths.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

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

const folder = temporaryFolder(afterAll);

const isInstalled = (program: string): boolean =>
  spawnSync(program, [program === "go" ? "version" : "--version"], { stdio: "ignore" }).status === 0;

describe.each(Object.keys(templates) as TemplateLanguage[])("the driver template for %s", (language) => {
  const { file, command } = templates[language];
  const [program = ""] = command.split(" ");

  it("starts a driver whose operation passes", async ({ skip }) => {
    if (!isInstalled(program)) skip(`${program} is not installed`);
    const output = join(folder, file);
    await runClientInit(language, { output });
    const { capabilities, outcomes } = await runClient({
      cases: clientCases("full").filter(({ testCase }) => testCase.operation === "getMe"),
      startDriver: processDriver(command.replace(file, `"${output}"`)),
      startService: startSandboxService,
      concurrency: 1,
    });
    expect(capabilities.operations).toEqual(["getMe"]);
    expect(outcomes.filter(({ verdict }) => verdict === "error" || verdict === "pass")).toEqual(
      outcomes.filter(({ verdict }) => verdict === "pass"),
    );
    expect(outcomes.map(({ verdict }) => verdict)).toContain("pass");
  });
});
