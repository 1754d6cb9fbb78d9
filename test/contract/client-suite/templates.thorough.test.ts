import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { processDriver } from "../../../contract/client-suite/driver/process.ts";
import { clientCases, runClient } from "../../../contract/client-suite/run-client.ts";
import { runClientInit, type TemplateLanguage, templates } from "../../../scripts/client-suite/command.ts";
import { startSandboxService } from "../../../scripts/client-suite/run-command.ts";

const folder = await mkdtemp(join(tmpdir(), "templates-"));
afterAll(() => rm(folder, { recursive: true }));

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
