import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, it, vi } from "vitest";
import { processDriver } from "../../../contract/client-suite/driver/process.ts";
import { clientCases, runClient } from "../../../contract/client-suite/run-client.ts";
import { diagnose } from "../../../contract/report/causes.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { runClientInit, type TemplateLanguage, templates } from "../../../scripts/client-suite/command.ts";
import { runClientCommand, startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import { root } from "../../../scripts/common/paths.ts";
import { violating } from "../../client-mutants/client-mutant.ts";
import { inProcessDriver } from "../../client-mutants/in-process/driver.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { outcome, resultOf, sampleExchange } from "../report/samples.ts";

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

it("a request with a fault is one finding with all that follows from it, and comes first", async () => {
  const { create } = violating("IDEM-5").sends("another key in each attempt", ({ url, headers }) => {
    const key = headers["idempotency-key"];
    return url.endsWith("/batch") && key?.startsWith("contract-")
      ? { headers: { ...headers, "idempotency-key": `${key}-${Math.random()}` } }
      : undefined;
  });
  const { outcomes, capabilities } = await runClient({
    cases: clientCases("full", /IDEM-5/),
    startDriver: inProcessDriver(create),
    startService: startSandboxService,
  });
  const { client: name, ...rest } = capabilities;
  const result = { ...resultOf(outcomes, []), client: { name, driver: "driver", ...rest } };
  const titles = ["has the idempotency key of the call", "has the same idempotency key in all attempts"];
  expect(new Set(diagnose(result).map(({ first }) => first.check))).toEqual(new Set(titles));
}, 60_000);

it("of many bodies with a fault, the shortest is shown", () => {
  const bodies = Array.from({ length: 20 }, (_, index) => "x".repeat(100 - index));
  const failures = bodies.map((body) => ({
    ...{ expected: "a", found: "b" },
    exchange: { ...sampleExchange, request: { headers: {}, body } },
  }));
  const responseChecks = [{ ids: ["GEN-3"], title: "has a body", responses: 20, failures }];
  const [finding] = diagnose(resultOf([outcome({ responseChecks })], []));
  expect(finding?.first.exchanges[0]?.request.body).toBe(bodies.at(-1));
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
